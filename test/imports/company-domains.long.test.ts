import { afterAll, expect, test } from 'vitest'
import { sharedTestApp, type TestClient } from '../support/app.ts'
import { importCsv, untilEnded, uploadCsv } from '../support/csv-imports.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

type Row = Record<string, string | null>
const listed = async (org: TestClient, path: string): Promise<Row[]> =>
  (await org.get(`${path}${path.includes('?') ? '&' : '?'}limit=100`)).body.data

test('an imported contact gets the company with the domain of its row, and the import creates a missing company', async () => {
  const org = await app.newOrg()
  const acme = (await org.post('/companies', { name: 'Acme', domain: 'acme.example' })).body.data.company_id
  const csv =
    'email,Company,Company Domain\na@acme.example,ACME Inc,https://www.acme.example/about\nb@new.example,New Ltd,new.example\n' +
    'c@new.example,,NEW.example\nd@x.example,Bar,https://www.facebook.com/bar\n'
  const done = await importCsv(org, csv)
  expect(done.counts).toMatchObject({ created: 4, refused: 0 })
  const made = await listed(org, `/companies?import_id=${done.import_id}`)
  expect(made).toMatchObject([{ name: 'New Ltd', domain: 'new.example', source: 'import' }])
  const companyId = made[0]?.company_id
  expect(await listed(org, '/contacts')).toMatchObject([
    { email: 'd@x.example', company_id: null, custom: { 'Company Domain': 'https://www.facebook.com/bar' } },
    { email: 'c@new.example', company_id: companyId, company_name: null },
    { email: 'b@new.example', company_id: companyId, company_name: 'New Ltd' },
    { email: 'a@acme.example', company_id: acme, company_name: 'ACME Inc' },
  ])
})

test('concurrent imports create each company once, and a row that matches a contact sets its company', async () => {
  const org = await app.newOrg()
  await org.post('/contacts', { email: 'person7@example.com' })
  const rows = Array.from({ length: 1_500 }, (_, n) => `person${n}@example.com,company${n % 40}.example\n`)
  const csv = `email,company_domain\n${rows.join('')}`
  const uploads = await Promise.all([1, 2].map(() => uploadCsv(org, csv, { query: { match_on: 'email' } })))
  for (const { body } of uploads) {
    expect((await untilEnded(org, body.data.import_id)).counts).toMatchObject({ rows_read: 1_500 })
  }
  const { body } = await org.get('/companies?limit=1')
  expect(body.pagination.total).toBe(40)
  const [company] = await listed(org, '/companies?domain=company7.example')
  const people = await listed(org, '/contacts?email=person7@example.com')
  expect(people.at(-1)?.company_id).toBe(company?.company_id)
})

test('a revert archives the companies that the import created, unless another contact refers to them', async () => {
  const org = await app.newOrg()
  const done = await importCsv(org, 'email,company_domain\na@a.example,a.example\nb@b.example,b.example\n')
  const [kept] = await listed(org, '/companies?domain=b.example')
  await org.post('/contacts', { email: 'other@b.example', company_id: kept?.company_id })
  expect((await org.post(`/imports/${done.import_id}/revert`)).status).toBe(202)
  expect((await untilEnded(org, done.import_id)).counts).toMatchObject({ reverted: 2, kept: 0 })
  expect(await listed(org, '/companies')).toMatchObject([{ domain: 'b.example' }])
  expect(await listed(org, '/contacts')).toMatchObject([{ email: 'other@b.example' }])
})

test('an API key without companies:write gets 403 for a file that names companies by domain', async () => {
  const org = await app.newOrg()
  const writer = await app.newKey(org.orgId, { permissions: ['contacts:write'] })
  const refused = await uploadCsv(writer, 'email,company_domain\na@a.example,a.example\n')
  expect([refused.status, refused.body.detail]).toEqual([403, expect.stringContaining('companies:write')])
  expect(await listed(org, '/imports')).toEqual([])
})

test('an API key without companies:manage gets 403 for the revert of an import that created companies', async () => {
  const org = await app.newOrg()
  const made = await importCsv(org, 'email,company_domain\na@a.example,a.example\n')
  const plain = await importCsv(org, 'email\nb@b.example\n')
  const manager = await app.newKey(org.orgId, { permissions: ['contacts:manage'] })
  const refused = await manager.post(`/imports/${made.import_id}/revert`)
  expect([refused.status, refused.body.detail]).toEqual([403, expect.stringContaining('companies:manage')])
  expect((await org.get(`/imports/${made.import_id}`)).body.data.status).toBe('succeeded')
  expect((await manager.post(`/imports/${plain.import_id}/revert`)).status).toBe(202)
})
