// The comparison: node:http, pg and JSON.stringify, and nothing else. No key, no limits, no tenancy, no checks.
import { createServer } from 'node:http'
import { Pool } from 'pg'

const [url, orgId] = process.argv.slice(2)
const pool = new Pool({ connectionString: url, max: 16 })
const epoch = (column: string) => `floor(date_part('epoch', ${column}))::int as ${column}`
const text = `
  select contact_id, email, emails, phone, phones, phone_raw, first_name, last_name, company_id, company_name, job_title,
    lifecycle_stage, json_build_object('email', consent_email, 'phone', consent_phone) as consent, linkedin_url, city,
    region, country, tags, custom, external_ids, source, version, ${epoch('created_at')}, ${epoch('updated_at')}, ${epoch('archived_at')}
  from contact where org_id = $1 and status = 'active' order by contact_id desc limit 25`

const server = createServer(async (_request, response) => {
  const { rows } = await pool.query({ name: 'list', text, values: [orgId] })
  const body = JSON.stringify({ data: rows })
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
  response.end(body)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.(typeof address === 'object' && address ? address.port : 0)
})
