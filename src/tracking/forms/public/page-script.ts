/**
 * The script of the hosted page. It solves the proof of work when the person sends the form, and ignores the second
 * click of a double click. Without the script, the form works too.
 */
export const script = `(()=>{const f=document.forms[0];let sent=0;f.addEventListener('submit',async e=>{
if(sent){e.preventDefault();return}
const c=f.challenge.value,t=+c.split('.')[1];
sent=1;if(!crypto.subtle)return;e.preventDefault();f.querySelector('button').disabled=true;
const enc=new TextEncoder;let n=0;
for(;;n++){const d=new DataView(await crypto.subtle.digest('SHA-256',enc.encode(c+'.'+n)));if(Math.clz32(d.getUint32(0))>=t)break}
f.proof.value=n;HTMLFormElement.prototype.submit.call(f)});
addEventListener('pageshow',e=>{if(e.persisted){sent=0;f.querySelector('button').disabled=false}});
document.querySelector('[role=alert]')?.focus()})()`
