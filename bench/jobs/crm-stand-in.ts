// A stand-in for Salesforce in a push: sign-in, describe, and upserts by an external id that take `ms` each.
//   node bench/jobs/crm-stand-in.ts <ms>     sends the port to its parent
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

const ms = Number(process.argv[2])
const keyField = 'Crosswalk_Id__c'
const leads = new Map<string, string>()
let twice = 0

const names = ['FirstName', 'LastName', 'Email', 'Phone', 'Title', 'Company', 'City', 'State', 'Country']
const field = (name: string) => ({
  ...{ name, label: name, type: 'string', length: 255, nillable: true, defaultedOnCreate: false },
  ...{ createable: true, updateable: true, externalId: name === keyField, unique: name === keyField },
  ...{ restrictedPicklist: false, picklistValues: [] },
})
const described = JSON.stringify({
  ...{ createable: true, updateable: true },
  fields: [...names, keyField].map(field),
})

function upsert(body: string): string {
  const { records } = JSON.parse(body) as { records: Record<string, string>[] }
  const rows = records.map((record) => {
    const key = record[keyField]!
    const known = leads.get(key)
    if (known) twice++
    const id = known ?? `00Q${String(leads.size).padStart(15, '0')}`
    leads.set(key, id)
    return { id, success: true, created: known === undefined, errors: [] }
  })
  return JSON.stringify(rows)
}

const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  let answer = '[]'
  if (request.url === '/services/oauth2/token')
    answer = JSON.stringify({ access_token: '00D!bench', instance_url: address, token_type: 'Bearer' })
  else if (request.url === '/leads') answer = JSON.stringify({ leads: leads.size, twice })
  else if (request.method === 'GET') answer = described
  else {
    await delay(ms)
    answer = upsert(body)
  }
  response.writeHead(200, { 'content-type': 'application/json' }).end(answer)
})
server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port))
