import http from 'node:http'; import pg from 'pg'
const pool=new pg.Pool({host:'/tmp/devpg/sock',user:'crosswalk',database:'crosswalk',max:16})
const org=process.argv[2]
const text=`select contact_id,email,emails,phone,phones,phone_raw,first_name,last_name,company_id,company_name,job_title,lifecycle_stage,json_build_object('email',consent_email,'phone',consent_phone) as consent, linkedin_url,city,region,country,tags,custom,external_ids,source,version,floor(date_part('epoch',created_at))::int as created_at,floor(date_part('epoch',updated_at))::int as updated_at, floor(date_part('epoch',archived_at))::int as archived_at from contact where org_id=$1 and status='active' order by contact_id desc limit 25`
http.createServer(async(q,r)=>{const {rows}=await pool.query({name:'l',text,values:[org]}); const b=JSON.stringify({data:rows}); r.writeHead(200,{'content-type':'application/json','content-length':Buffer.byteLength(b)}); r.end(b)}).listen(8092)
