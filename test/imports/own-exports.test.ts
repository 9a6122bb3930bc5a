import { afterAll, expect, test } from 'vitest'
import { sharedTestApp, type TestOrg } from '../support/app.ts'
import { importCsv, uploadCsv } from '../support/csv-imports.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

const exported = async (org: TestOrg, entity: 'contacts' | 'companies' = 'contacts') =>
  (await org.get(`/${entity}/export?format=csv`)).text

const byId = { query: { match_on: 'contact_id' } } as const

async function orgWithContacts(): Promise<{ org: TestOrg; survivor: string; absorbed: string }> {
  const org = await app.newOrg()
  const survivor = (
    await org.post('/contacts', {
      email: 'ada@example.com',
      emails: ['ada@work.example'],
      phone: '+14155550102',
      tags: ['a, b', 'c'],
      custom: { size: 38 },
      consent: { email: 'granted' },
      consent_details: { email: { kind: 'written', at: 1_700_000_000 } },
      company_domain: 'acme.example',
    })
  ).body.data.contact_id
  const absorbed = (
    await org.post('/contacts', {
      email: 'augusta@example.com',
      last_name: 'King',
      external_ids: { crm: '7' },
    })
  ).body.data.contact_id
  await org.post('/duplicates/merge', {
    entity_type: 'contact',
    survivor_id: survivor,
    loser_ids: [absorbed],
  })
  await org.post('/contacts', { last_name: 'Sparse' })
  return { org, survivor, absorbed }
}

test.each(['true', 'false'])(
  'an unedited export leaves every record unchanged with match_on=contact_id (dry_run=%s)',
  async (dryRun) => {
    const { org } = await orgWithContacts()
    const before = (await org.get('/contacts')).body.data
    const done = await importCsv(org, await exported(org), {
      query: { match_on: 'contact_id', dry_run: dryRun },
    })
    expect(done.counts).toMatchObject({ rows_read: 2, created: 0, updated: 0, unchanged: 2, refused: 0 })
    expect((await org.get('/contacts')).body.data).toEqual(before)
  },
)

test('an unedited export of companies leaves every record unchanged with match_on=company_id', async () => {
  const org = await app.newOrg()
  await org.post('/companies', { name: 'Acme', domain: 'acme.example', employee_count: 3 })
  const csv = await exported(org, 'companies')
  const done = await importCsv(org, csv, { entity: 'companies', query: { match_on: 'company_id' } })
  expect(done.counts).toMatchObject({ created: 0, updated: 0, unchanged: 1, refused: 0 })
})

test('an edited export changes the edited values only, and its revert restores them', async () => {
  const { org, survivor } = await orgWithContacts()
  const before = (await org.get(`/contacts/${survivor}`)).body.data
  const done = await importCsv(org, (await exported(org)).replace('King', 'Lovelace'), byId)
  expect(done.counts).toMatchObject({ created: 0, updated: 1, unchanged: 1, refused: 0 })
  const { body } = await org.get(`/contacts/${survivor}`)
  expect(body.data).toEqual({
    ...before,
    last_name: 'Lovelace',
    version: before.version + 1,
    updated_at: expect.any(Number),
  })
  expect((await org.post(`/imports/${done.import_id}/revert`)).status).toBe(202)
  await expect
    .poll(async () => (await org.get(`/contacts/${survivor}`)).body.data.last_name, { timeout: 10_000 })
    .toBe('King')
})

test('a merged contact gets the consent, the address and the employer of its row', async () => {
  const { org, survivor } = await orgWithContacts()
  const csv = `contact_id,email,consent_email,consent_phone,company_name\n${survivor},new@example.com,denied,granted,Acme\n`
  expect((await importCsv(org, csv, byId)).counts).toMatchObject({ updated: 1, refused: 0 })
  const { data } = (await org.get(`/contacts/${survivor}`)).body
  expect(data).toMatchObject({ company_name: 'Acme', consent: { email: 'denied', phone: 'granted' } })
  expect(data.emails).toContain('new@example.com')
})

test('the id of an absorbed contact updates the canonical contact; other ids are refused', async () => {
  const { org, survivor, absorbed } = await orgWithContacts()
  const other = await orgWithContacts()
  const archived = (await org.post('/contacts', { last_name: 'Old' })).body.data.contact_id
  await org.delete(`/contacts/${archived}`)
  const rows = [absorbed, other.survivor, archived, 'x', ''].map((id) => `${id},Paris\n`)
  const csv = `contact_id,city\n${rows.join('')}`
  const codes = ['object_not_found', 'record_archived', 'validation_failed', 'match_key_missing']
  for (const query of [{ ...byId.query, dry_run: 'true' }, byId.query]) {
    const done = await importCsv(org, csv, { query })
    expect(done.counts).toMatchObject({ created: 0, updated: 1, refused: 4 })
    const { body } = await org.get(`/imports/${done.import_id}/rows`)
    expect(body.data.map(({ code }: { code: string }) => code)).toEqual(codes)
  }
  expect((await org.get(`/contacts/${survivor}`)).body.data.city).toBe('Paris')
})

test('an export that is imported into its own organization without match_on creates no duplicates', async () => {
  const { org, survivor } = await orgWithContacts()
  const csv = `${await exported(org)},new@example.com\r\n`
  const done = await importCsv(org, csv)
  expect(done.counts).toMatchObject({ created: 1, refused: 2 })
  const { body } = await org.get(`/imports/${done.import_id}/rows`)
  expect(body.data[1]).toMatchObject({
    code: 'record_exists',
    reason: `The row is the contact ${survivor}, which exists. To update it, import the file with the match key contact_id`,
  })
})

test('the inspection of an export suggests match_on to its own organization only', async () => {
  const { org } = await orgWithContacts()
  const other = await app.newOrg()
  const csv = await exported(org)
  const inspect = async (by: TestOrg) => (await by.post('/contacts/imports/inspect', { csv })).body.data
  const own = await inspect(org)
  expect(own).toMatchObject({ match_on: 'contact_id', mapping: { contact_id: 'contact_id' } })
  expect(await inspect(other)).toMatchObject({
    match_on: null,
    mapping: { contact_id: 'external_id:crosswalk' },
  })
  const { mapping, match_on } = own
  const done = await importCsv(org, csv, { mapping, query: { match_on } })
  expect(done.counts).toMatchObject({ unchanged: 2 })
})

test.each([
  ['email', 'name,city\nAda,Rome\n'],
  ['external_id', 'email\na@example.com\n'],
  ['contact_id', 'email\na@example.com\n'],
])('match_on=%s of a file without such a column is a 422', async (key, csv) => {
  const org = await app.newOrg()
  const { status, body } = await uploadCsv(org, csv, { query: { match_on: key } })
  expect([status, body.code]).toEqual([422, 'match_key_missing'])
  expect(body.detail[0]).toMatchObject({
    loc: ['query', 'match_on'],
    msg: expect.stringContaining(`match_on is ${key}, but no column of the file is ${key}`),
  })
  const json = await org.post('/contacts/imports', { csv, match_on: key })
  expect(json.body.detail[0].loc).toEqual(['body', 'match_on'])
})
