import { afterAll, beforeAll, expect, test } from 'vitest'
import { contacts } from '../../src/contacts/contacts.ts'
import { limitExpensiveLists } from '../../src/records/expensive.ts'
import { insertRecords } from '../../src/records/insert.ts'
import { startTestApp, type TestOrg } from '../support/app.ts'

const app = await startTestApp({ role: 'api' })
afterAll(() => app.close())

let org: TestOrg
const companyOf: Record<string, string> = {}
const sizes = { c10001: 10_001, c10000: 10_000, c1001: 1_001, c1000: 1_000, c501: 501, c500: 500 }

/** Creates 10,001 contacts. 1,001 of them have the tag c1001, and 1,001 have a company with that name. */
beforeAll(async () => {
  org = await app.newOrg()
  const { database } = app.app.context
  for (const name of Object.keys(sizes))
    companyOf[name] = (await org.post('/companies', { name })).body.data.company_id
  for (let start = 0; start < sizes.c10001; start += 4_000) {
    const states = Array.from({ length: Math.min(4_000, sizes.c10001 - start) }, (_, index) => {
      const n = start + index
      const tags = Object.keys(sizes).filter((name) => n < sizes[name as keyof typeof sizes])
      const state = contacts.apply(null, { last_name: `L${n}`, tags }, { defaultCountry: null }, false)
      const company = companyOf[n < 1_001 ? 'c1001' : 'c10001']
      return { ...state, company_raw_id: company, company_id: company }
    })
    await database.org(org.orgId).transact((tx) => insertRecords(tx, contacts, states))
  }
})

/** The status of a list while the organization has two expensive lists running. */
async function statusWhileBusy(query: string): Promise<number> {
  const ended = Promise.withResolvers<void>()
  const busy = [1, 2].map(() => limitExpensiveLists(org.orgId, () => ended.promise))
  const { status } = await org.get(`/contacts?${query}`)
  ended.resolve()
  await Promise.all(busy)
  return status
}

const withCompany = (query: string) =>
  query.replace(/company_id=(c\d+)/, (_, name) => `company_id=${companyOf[name]}`)

test('the total of a tag is stored, so a list of one tag is never expensive', async () => {
  expect(await statusWhileBusy('tag=c10001')).toBe(200)
  expect((await org.get('/contacts?tag=c10001')).body.pagination.total).toBe(10_001)
})

test.each([
  'tag=c10000',
  'tag=c1000&sort=name',
  'tag=c500&city=Rome',
  'tag[in]=c1000,none&sort=name',
  'tag[in]=c500,none&tag[ne]=x',
  'tag=none&city=Rome&sort=name',
  'company_id=c1001',
  'updated_since=9999999999&sort=name',
  'archived=true&sort=name',
])('a list is not expensive if an index finds few records for its filter: %s', async (query) => {
  expect(await statusWhileBusy(withCompany(query))).toBe(200)
})

test.each([
  'tag=c1001&sort=name',
  'tag=c501&city=Rome',
  'tag[in]=c10001,none',
  'tag=c10001&company_id=c10001',
  'company_id=c1001&sort=name',
  'updated_since=1',
  'updated_since=1&sort=-updated_at',
  'import_id[is_null]=true',
])('a list with an index that finds many records is an expensive list: %s', async (query) => {
  expect(await statusWhileBusy(withCompany(query))).toBe(429)
  expect((await org.get(`/contacts?${withCompany(query)}`)).status).toBe(200)
})
