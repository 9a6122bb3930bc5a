import { afterAll, beforeAll, expect, test } from 'vitest'
import { contacts } from '../../src/contacts/contacts.ts'
import { insertRecords } from '../../src/records/insert.ts'
import { startTestApp, type TestOrg } from '../support/app.ts'
import { withClient } from '../support/direct-sql.ts'

const app = await startTestApp({ role: 'api' })
afterAll(() => app.close())

const size = 2_600
let org: TestOrg
let companyId: string

beforeAll(async () => {
  org = await app.newOrg()
  await withClient(app, async (client) => {
    for (const table of ['contact', 'contact_key', 'company'])
      await client.query(`alter table ${table} set (autovacuum_enabled = false)`)
  })
  companyId = (await org.post('/companies', { name: 'Acme' })).body.data.company_id
  const states = Array.from({ length: size }, (_, n) => {
    const fields = { last_name: `Last${n}`, tags: n % 2 ? ['all', 'odd'] : ['all'], custom: { n: n % 10 } }
    const state = contacts.apply(null, fields, { defaultCountry: null }, false)
    return { ...state, company_raw_id: companyId, company_id: companyId }
  })
  await app.app.context.database.org(org.orgId).transact((tx) => insertRecords(tx, contacts, states))
})

const limitMs = 1_000

// Without statistics, PostgreSQL expects small tables. Reading all contacts for each key takes 2 to 15 s; lookups
// take 0.02 s.
test.each([
  ['tag=odd&sort=-name&custom.n[ne]=5', 1_040],
  ['tag=all&tag[in]=odd,other', 1_300],
  ['tag=all&tag[ne]=odd', 1_300],
  ['tag=all&q=last', 2_600],
  ['tag=all&company_id=<company>&sort=name', 2_600],
])(
  'a list by %s takes less than 1 s even before PostgreSQL has analyzed its tables',
  async (filters, total) => {
    let least = Number.POSITIVE_INFINITY
    // A busy machine can make one or two reads slow.
    for (let run = 0; run < 3 && least >= limitMs; run++) {
      const begun = performance.now()
      const { status, body } = await org.get(`/contacts?${filters.replace('<company>', companyId)}`)
      least = Math.min(least, performance.now() - begun)
      expect([status, body.pagination?.total]).toEqual([200, total])
    }
    expect(least).toBeLessThan(limitMs)
  },
)
