import { afterAll, describe, expect, test } from 'vitest'
import { linkOrgs } from '../../src/orgs/operator.ts'
import { sharedTestApp, type TestOrg } from '../support/app.ts'
import { importCsv, untilEnded, uploadCsv } from '../support/csv-imports.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

const people =
  'Given name,Surname,Mail,Shoe size\nAda,Lovelace,ada@example.com,38\nGrace,Hopper,grace@example.com,\n'

async function allEvents(org: TestOrg, query: string) {
  const { body } = await org.get(`/events?limit=100&${query}`)
  return body.data as { type: string; object_id: string; api_key_id: string; mode: string }[]
}

describe('text/csv', () => {
  test('a text/csv file is imported as contacts', async () => {
    const org = await app.newOrg()
    const accepted = await uploadCsv(org, people, { fileName: 'people.csv' })
    expect(accepted.status).toBe(202)
    expect(accepted.body).toEqual({
      data: {
        import_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        entity_type: 'contact',
        status: expect.stringMatching(/^(queued|running|succeeded)$/),
        mode: 'live',
        dry_run: false,
        encoding: 'utf-8',
        file_name: 'people.csv',
        match_on: null,
        default_country: null,
        decimal_sign: null,
        date_order: null,
        bytes_total: Buffer.byteLength(people),
        columns: null,
        counts: {
          rows_read: 0,
          created: 0,
          updated: 0,
          unchanged: 0,
          refused: 0,
          unreadable: 0,
          reverted: 0,
          kept: 0,
        },
        refused_by_code: null,
        error: null,
        created_by: { kind: 'api_key', id: org.apiKeyId, name: expect.any(String) },
        created_at: expect.any(Number),
        started_at: null,
        finished_at: null,
      },
      pagination: null,
    })
    const importId = accepted.body.data.import_id
    expect(await untilEnded(org, importId)).toEqual({
      ...accepted.body.data,
      status: 'succeeded',
      refused_by_code: {},
      columns: [
        { header: 'Given name', field: 'first_name' },
        { header: 'Surname', field: 'last_name' },
        { header: 'Mail', field: 'email' },
        { header: 'Shoe size', field: 'custom:Shoe size' },
      ],
      counts: {
        rows_read: 2,
        created: 2,
        updated: 0,
        unchanged: 0,
        refused: 0,
        unreadable: 0,
        reverted: 0,
        kept: 0,
      },
      started_at: expect.any(Number),
      finished_at: expect.any(Number),
    })
    const created = await org.get(`/contacts?import_id=${importId}`)
    expect(created.body.pagination.total).toBe(2)
    expect(created.body.data).toMatchObject([
      { first_name: 'Grace', last_name: 'Hopper', email: 'grace@example.com', custom: {}, source: 'import' },
      { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', custom: { 'Shoe size': '38' } },
    ])
    expect((await org.get('/imports')).body).toMatchObject({
      data: [{ import_id: importId, status: 'succeeded' }],
      pagination: { total: 1, has_next: false },
    })
  })

  test.each(['Text/CSV', 'text/csv; charset=utf-8; header=present'])(
    'a text/csv file is imported with the content type %s',
    async (type) => {
      const org = await app.newOrg()
      const done = await importCsv(org, people, { headers: { 'content-type': type } })
      expect(done.counts.created).toBe(2)
    },
  )

  test('a text/csv file of 1.1 MiB is imported whole, even if chunks end within rows and characters', async () => {
    const org = await app.newOrg()
    const rows = Array.from({ length: 300 }, (_, n) => `${n},${'ß'.repeat(2_000)}\n`)
    const csv = `Customer ID,Notes\n${rows.join('')}`
    const bytes = Buffer.byteLength(csv)
    expect(bytes).toBeGreaterThan(1.1 * 1024 * 1024)
    const done = await importCsv(org, csv)
    expect(done).toMatchObject({ bytes_total: bytes, counts: { created: 300, refused: 0 } })
    const ids = []
    for (let page = 1; page <= 3; page++) {
      const { body } = await org.get(`/contacts?import_id=${done.import_id}&limit=100&page=${page}`)
      for (const { external_ids, custom } of body.data) {
        expect(custom).toEqual({ Notes: 'ß'.repeat(2_000) })
        ids.push(Number(external_ids['Customer ID']))
      }
    }
    expect(ids.reverse()).toEqual(Array.from({ length: 300 }, (_, n) => n))
    expect((await org.get('/contacts?limit=1')).body.pagination.total).toBe(300)
  })

  test('an import of text/csv stores unreadable phone numbers as phone_raw', async () => {
    const org = await app.newOrg({ country: 'DE' })
    await importCsv(org, 'name,phone\nAda,030 23125000\nGrace,ask at reception\nAlan,12; +49 171 3920000\n')
    const { body } = await org.get('/contacts')
    expect(body.data).toMatchObject([
      { first_name: 'Alan', phone: '+491713920000', phone_raw: '12' },
      { first_name: 'Grace', phone: null, phone_raw: 'ask at reception' },
      { first_name: 'Ada', phone: '+493023125000', phone_raw: null },
    ])
  })
})

test('an import reads display names and several addresses in a cell, and stores other text as email_raw', async () => {
  const org = await app.newOrg()
  const csv =
    'name,email\nAda,"""Lovelace, Ada"" <ada@example.com>; mailto:al@example.com"\nGrace,grace@\n,n/a\nAlan,alan@example.com ask\n'
  const counts = { created: 4, refused: 0, unreadable: 3 }
  const check = await importCsv(org, csv, { query: { dry_run: 'true' } })
  expect(check.counts, 'the dry run').toMatchObject(counts)
  const done = await importCsv(org, csv)
  expect(done.counts).toMatchObject(counts)
  const { body } = await org.get('/contacts')
  expect(body.data).toMatchObject([
    { first_name: 'Alan', emails: ['alan@example.com'], email_raw: 'ask' },
    { first_name: null, emails: [], email_raw: 'n/a' },
    { first_name: 'Grace', email: null, email_raw: 'grace@' },
    { first_name: 'Ada', emails: ['ada@example.com', 'al@example.com'], email_raw: null },
  ])
  const changed = async (fields: object) =>
    (await org.patch(`/contacts/${body.data[2].contact_id}`, fields)).body.data.email_raw
  expect(await changed({ city: 'New York' })).toBe('grace@')
  expect(await changed({ email: 'grace@example.com' })).toBeNull()
  expect((await org.post('/contacts', { first_name: 'A', email_raw: 'x' })).status).toBe(422)
})

describe('application/json', () => {
  test('a JSON body is imported as contacts', async () => {
    const org = await app.newOrg()
    const body = {
      csv: people,
      mapping: { Mail: 'email', 'Given name': 'ignore' },
      file_name: ' people.csv ',
    }
    const accepted = await org.post('/contacts/imports', body)
    expect(accepted.status).toBe(202)
    const done = await untilEnded(org, accepted.body.data.import_id)
    expect(done).toMatchObject({ file_name: 'people.csv', bytes_total: Buffer.byteLength(people) })
    expect(done.columns).toEqual([
      { header: 'Given name', field: null },
      { header: 'Surname', field: 'last_name' },
      { header: 'Mail', field: 'email' },
      { header: 'Shoe size', field: 'custom:Shoe size' },
    ])
    const { data } = (await org.get(`/contacts?email=ada@example.com`)).body
    expect(data).toMatchObject([{ first_name: null, last_name: 'Lovelace', custom: { 'Shoe size': '38' } }])
  })

  test('a JSON body may be larger than 1 MiB, the limit of other bodies', async () => {
    const org = await app.newOrg()
    const csv = `email,notes\nada@example.com,x\n${`,${'x'.repeat(60_000)}\n`.repeat(18)}`
    const done = await untilEnded(org, (await org.post('/contacts/imports', { csv })).body.data.import_id)
    expect(done.counts).toMatchObject({ created: 1, refused: 18 })
  })
})

test('POST /companies/imports imports companies', async () => {
  const org = await app.newOrg()
  const done = await importCsv(org, 'Company,Web,Employees\nAcme,https://acme.example,1200\n,,\n,x,\n', {
    entity: 'companies',
    mapping: { Company: 'name', Web: 'website', Employees: 'employee_count' },
  })
  expect(done).toMatchObject({
    entity_type: 'company',
    status: 'succeeded',
    counts: { rows_read: 2, created: 1, refused: 1 },
  })
  expect((await org.get(`/companies?import_id=${done.import_id}`)).body.data).toMatchObject([
    { name: 'Acme', domain: 'acme.example', employee_count: 1200, source: 'import' },
  ])
  expect((await org.get('/contacts')).body.data).toEqual([])
})

test('GET /imports lists imports, dry runs or both, and imports of one status', async () => {
  const org = await app.newOrg()
  const checked = await importCsv(org, people, { query: { dry_run: 'true' } })
  const written = await importCsv(org, people)
  for (const [query, ids] of [
    ['', [written.import_id, checked.import_id]],
    ['?dry_run=false', [written.import_id]],
    ['?dry_run=true', [checked.import_id]],
    ['?status=succeeded', [written.import_id, checked.import_id]],
    ['?status=succeeded&dry_run=true', [checked.import_id]],
    ['?status=running', []],
  ] as const) {
    const { body } = await org.get(`/imports${query}`)
    expect(body.data.map(({ import_id }: { import_id: string }) => import_id)).toEqual(ids)
    expect(body.pagination.total).toBe(ids.length)
  }
})

test('each created record has an event, and the import has a start event and an end event', async () => {
  const org = await app.newOrg({ key: { mode: 'test' } })
  const rows = Array.from({ length: 60 }, (_, n) => `person${n}@example.com\n`)
  const done = await importCsv(org, `email\n${rows.join('')}"x" y\n`)
  expect(done.mode).toBe('test')
  const created = await allEvents(org, 'type=contact.created')
  const { data } = (await org.get(`/contacts?import_id=${done.import_id}&limit=100`)).body
  expect(data).toHaveLength(60)
  expect(created.map((event) => event.object_id)).toEqual(
    data.map((contact: { contact_id: string }) => contact.contact_id),
  )
  const own = await allEvents(org, `object_id=${done.import_id}`)
  expect(own.map(({ type }) => type)).toEqual(['import.finished', 'import.created'])
  for (const event of [...created, ...own]) {
    expect(event).toMatchObject({ mode: 'test', api_key_id: org.apiKeyId })
  }
})

test('an agency imports into a client, and the events name the API key of the agency', async () => {
  const agency = await app.newAgency()
  const client = await app.newOrg({ country: 'GB' })
  await app.operate((tx) => linkOrgs(tx, agency.orgId, client.orgId))
  const headers = { 'x-target-org-id': client.orgId }
  const done = await importCsv(agency, 'name,phone\nAda,020 7183 8750\n', { headers })
  expect(done.counts.created).toBe(1)
  expect((await client.get('/contacts')).body.data).toMatchObject([{ phone: '+442071838750' }])
  expect((await client.get('/imports')).body.data).toMatchObject([{ import_id: done.import_id }])
  expect(await allEvents(client, `object_id=${done.import_id}`)).toMatchObject([
    { api_key_id: agency.apiKeyId },
    { api_key_id: agency.apiKeyId },
  ])
  expect((await agency.get(`/imports/${done.import_id}`)).status).toBe(404)
  expect((await agency.get('/contacts')).body.data).toEqual([])
})

test("another organization's import gets the same 404 as an id that does not exist", async () => {
  const [org, other] = [await app.newOrg(), await app.newOrg()]
  const done = await importCsv(org, people)
  const nobody = await other.get(`/imports/${crypto.randomUUID()}`)
  expect(nobody.status).toBe(404)
  for (const answer of [
    await other.get(`/imports/${done.import_id}`),
    await other.get(`/imports/${done.import_id}/rows`),
    await other.post(`/imports/${done.import_id}/revert`),
  ]) {
    expect([answer.status, answer.text]).toEqual([404, nobody.text])
  }
  expect((await other.get(`/contacts?import_id=${done.import_id}`)).body.data).toEqual([])
  expect((await other.get('/imports')).body.pagination.total).toBe(0)
})

test('a column can contain company ids; a row with a company of another organization is refused', async () => {
  const org = await app.newOrg()
  const { company_id: id } = (await org.post('/companies', { name: 'Analytical Engines' })).body.data
  const { company_id: foreign } = (await (await app.newOrg()).post('/companies', { name: 'Other' })).body.data
  const csv = `name,company\nAda,${id}\nGrace,${foreign}\nAlan,${id}\n`
  const mapping = { name: 'full_name', company: 'company_id' }
  const { import_id } = (await org.post('/contacts/imports', { csv, mapping })).body.data
  expect(await untilEnded(org, import_id)).toMatchObject({
    status: 'succeeded',
    counts: { rows_read: 3, created: 2, refused: 1 },
  })
  expect((await org.get(`/contacts?company_id=${id}`)).body.pagination.total).toBe(2)
  expect((await org.get(`/imports/${import_id}/rows`)).body.data).toEqual([
    {
      line: 3,
      outcome: 'refused',
      code: 'reference_not_found',
      reason: `Column "company": no company of this organization has the id ${foreign}`,
    },
  ])
})
