import { afterAll, describe, expect, test } from 'vitest'
import { sharedTestApp, type TestClient } from '../support/app.ts'
import { importCsv, untilEnded, uploadCsv } from '../support/csv-imports.ts'
import { runAsOwner } from '../support/database.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

const matching = { query: { match_on: 'email' } } as const

const contactsOf = async (org: TestClient, query = ''): Promise<Record<string, unknown>[]> =>
  (await org.get(`/contacts?limit=100${query}`)).body.data

async function revert(org: TestClient, importId: string) {
  expect((await org.post(`/imports/${importId}/revert`)).status).toBe(202)
  return untilEnded(org, importId)
}

/** A contact without its version and times. */
async function shown(org: TestClient, contactId: string) {
  const { version, updated_at, ...contact } = (await org.get(`/contacts/${contactId}`)).body.data
  return contact
}

describe('matching', () => {
  test('an import with match_on updates the matching record as an upsert does, and creates the others', async () => {
    const org = await app.newOrg({ country: 'DE' })
    const { body } = await org.post('/contacts', {
      email: 'ada@example.com',
      first_name: 'Ada',
      city: 'London',
      tags: ['old'],
      source: 'fair',
    })
    const csv =
      'email,first_name,city,phone,tags\nADA@example.com,,Paris,030 23125000,new\ngrace@example.com,Grace,,,\n'
    const done = await importCsv(org, csv, matching)
    expect(done).toMatchObject({
      status: 'succeeded',
      match_on: 'email',
      counts: { rows_read: 2, created: 1, updated: 1, unchanged: 0, refused: 0 },
    })
    expect(await contactsOf(org)).toMatchObject([
      { email: 'grace@example.com', source: 'import' },
      {
        contact_id: body.data.contact_id,
        email: 'ada@example.com',
        first_name: 'Ada',
        city: 'Paris',
        phones: ['+493023125000'],
        tags: ['old', 'new'],
        source: 'fair',
        version: 2,
      },
    ])
    const again = await importCsv(org, csv, matching)
    expect(again.counts).toMatchObject({ created: 0, updated: 0, unchanged: 2, refused: 0 })
  })

  test('an import with match_on writes all rows with the same key to one record, in the order of the file', async () => {
    const org = await app.newOrg()
    const rows = Array.from({ length: 1_200 }, (_, n) => `person${n % 3}@example.com,City ${n}\n`)
    const done = await importCsv(org, `email,city\n${rows.join('')}`, matching)
    expect(done.counts).toMatchObject({ rows_read: 1_200, created: 3, updated: 1_197, refused: 0 })
    const cities = (await contactsOf(org)).map(({ city }) => city)
    expect(cities).toEqual(['City 1199', 'City 1198', 'City 1197'])
  })

  test('an import with match_on refuses rows that match several records, and rows without the key', async () => {
    const org = await app.newOrg()
    for (const name of ['Ada', 'Augusta'])
      await org.post('/contacts', { email: 'ada@example.com', first_name: name })
    const done = await importCsv(org, 'email,first_name\nada@example.com,A\n,Grace\n', matching)
    expect(done.counts).toMatchObject({ created: 0, updated: 0, refused: 2 })
    const { body } = await org.get(`/imports/${done.import_id}/rows`)
    expect(body.data).toMatchObject([
      {
        line: 2,
        code: 'ambiguous_match',
        reason: expect.stringContaining('2 contacts match column "email": '),
      },
      {
        line: 3,
        code: 'match_key_missing',
        reason:
          'Column "email": the cell is empty or unreadable, but the import finds existing records by it',
      },
    ])
  })

  test('a dry run with match_on counts the rows that match a record, and writes nothing', async () => {
    const org = await app.newOrg()
    for (const name of ['Ada', 'Augusta'])
      await org.post('/contacts', { email: 'ada@example.com', first_name: name })
    await org.post('/contacts', { email: 'grace@example.com' })
    await org.post('/contacts', { email: 'hedy@example.com', city: 'E', tags: ['a', 'b'] })
    const csv =
      'email,city,tags\nada@example.com,A,\ngrace@example.com,B,\nnew@example.com,C,\n,D,\nhedy@example.com,E,b\n'
    const done = await importCsv(org, csv, { query: { match_on: 'email', dry_run: 'true' } })
    expect(done.counts).toMatchObject({ created: 1, updated: 1, unchanged: 1, refused: 2 })
    expect((await contactsOf(org)).map(({ version }) => version)).toEqual([1, 1, 1, 1])
  })

  test('a dry run with match_on counts a row as unchanged if the contact already has the company of the row', async () => {
    const org = await app.newOrg()
    await org.post('/companies', { domain: 'other.example' })
    for (const name of ['a', 'b', 'c'])
      await org.post('/contacts', { email: `${name}@x.example`, company_domain: 'acme.example' })
    const csv =
      'email,company_domain\na@x.example,acme.example\nb@x.example,other.example\nc@x.example,new.example\n'
    const query = { match_on: 'email', dry_run: 'true' }
    const counts = { created: 0, updated: 2, unchanged: 1, refused: 0 }
    expect((await importCsv(org, csv, { query })).counts).toMatchObject(counts)
    expect((await org.get('/companies')).body.pagination.total).toBe(2)
    expect((await importCsv(org, csv, { query: { match_on: 'email' } })).counts).toMatchObject(counts)
  })

  test('an import with match_on matches companies on their domain', async () => {
    const org = await app.newOrg()
    await org.post('/companies', { name: 'Acme', domain: 'acme.example' })
    const done = await importCsv(org, 'name,domain\nAcme Corp,https://www.acme.example/\n', {
      entity: 'companies',
      query: { match_on: 'domain' },
    })
    expect(done.counts).toMatchObject({ created: 0, updated: 1 })
    expect((await org.get('/companies')).body.data).toMatchObject([{ name: 'Acme Corp', version: 2 }])
  })

  test('an import gets 422 if match_on names a key that its record type does not have', async () => {
    const org = await app.newOrg()
    const { status, body } = await uploadCsv(org, 'email\na@example.com\n', { query: { match_on: 'domain' } })
    expect(status).toBe(422)
    expect(body.detail[0].loc).toEqual(['query', 'match_on'])
    const json = await org.post('/contacts/imports', { csv: 'email\na@example.com\n', match_on: 'email' })
    expect(json.body.data.match_on).toBe('email')
    await untilEnded(org, json.body.data.import_id)
  })
})

describe('reverts', () => {
  test('the revert of an import with match_on restores the old values of updated records, and archives created records', async () => {
    const org = await app.newOrg()
    const { contact_id: id } = (
      await org.post('/contacts', {
        email: 'ada@example.com',
        city: 'London',
        tags: ['old'],
        external_ids: { shop: '1' },
        custom: { size: 38 },
        consent: { phone: 'granted' },
      })
    ).body.data
    const before = await shown(org, id)
    const csv =
      'email,city,tags,shop,phone,consent_phone,consent_phone_kind,Size\n' +
      'ada@example.com,Paris,new,2,+14155550100,denied,written,40\n' +
      'new@example.com,Rome,,,,,,\nnew@example.com,Bern,,,,,,\nada@example.com,Nice,,,,,,\n'
    const mapping = { shop: 'external_id:shop' }
    const done = await importCsv(org, csv, { ...matching, mapping })
    expect(done.counts).toMatchObject({ created: 1, updated: 3 })
    expect(await shown(org, id)).not.toEqual(before)
    const reverted = await revert(org, done.import_id)
    expect(reverted.counts).toMatchObject({ reverted: 2, kept: 0 })
    expect(await shown(org, id)).toEqual(before)
    expect(await contactsOf(org)).toHaveLength(1)
    const { body } = await org.get(`/events?object_id=${id}`)
    expect(body.data[0]).toMatchObject({ type: 'contact.updated' })
  })

  test('the revert of an import with match_on keeps fields that were changed after the import, and counts the record', async () => {
    const org = await app.newOrg()
    const { contact_id: id } = (await org.post('/contacts', { email: 'ada@example.com', city: 'London' }))
      .body.data
    const csv = 'email,city,job_title,tags\nada@example.com,Paris,Engineer,new\n'
    const done = await importCsv(org, csv, matching)
    await org.patch(`/contacts/${id}`, { city: 'Rome' })
    expect((await revert(org, done.import_id)).counts).toMatchObject({ reverted: 0, kept: 1 })
    expect(await shown(org, id)).toMatchObject({ city: 'Rome', job_title: null, tags: [] })
  })

  test('the revert of an import with match_on keeps a record that would lose its last identifying field', async () => {
    const org = await app.newOrg()
    const { contact_id: id } = (await org.post('/contacts', { email: 'ada@example.com' })).body.data
    const done = await importCsv(org, 'email,first_name\nada@example.com,Ada\n', matching)
    await org.patch(`/contacts/${id}`, { email: null })
    expect((await revert(org, done.import_id)).counts).toMatchObject({ reverted: 0, kept: 1 })
    expect(await shown(org, id)).toMatchObject({ first_name: 'Ada', email: null })
  })

  test('the revert of an import with match_on restores the values of an absorbed id, even after its merge is undone', async () => {
    const org = await app.newOrg()
    const create = async (fields: object) => (await org.post('/contacts', fields)).body.data.contact_id
    const survivor = await create({ email: 'ada@example.com', last_name: 'King', city: 'Ockham' })
    const loser = await create({ email: 'lovelace@example.com', city: 'London' })
    const before = { survivor: await shown(org, survivor), loser: await shown(org, loser) }
    const csv = 'email,city,job_title\nlovelace@example.com,Paris,Engineer\n'
    const done = await importCsv(org, csv, matching)
    const merged = await org.post('/duplicates/merge', {
      entity_type: 'contact',
      survivor_id: survivor,
      loser_ids: [loser],
    })
    expect(merged.status).toBe(200)
    expect(await shown(org, survivor)).toMatchObject({ city: 'Ockham', job_title: 'Engineer' })
    expect((await revert(org, done.import_id)).counts).toMatchObject({ reverted: 1, kept: 0 })
    expect(await shown(org, survivor)).toMatchObject({ city: 'Ockham', job_title: null })
    const { body } = await org.get('/duplicates/recent-merges')
    const undone = await org.post(`/duplicates/undo-merge/${body.data[0].merge_id}`)
    expect(undone.status).toBe(200)
    expect(await shown(org, survivor)).toEqual(before.survivor)
    expect(await shown(org, loser)).toEqual(before.loser)
  })

  test('the revert of an import with match_on does not restore data of an erased contact', async () => {
    const org = await app.newOrg()
    const { contact_id: id } = (await org.post('/contacts', { email: 'ada@example.com', city: 'London' }))
      .body.data
    const done = await importCsv(org, 'email,city\nada@example.com,Paris\n', matching)
    const stored = () =>
      runAsOwner(app.databaseUrl, 'select change::text from import_change where org_id = $1', [org.orgId])
    expect(JSON.stringify(await stored())).toContain('London')
    expect((await org.post(`/contacts/${id}/erase`)).status).toBe(200)
    expect(await stored()).toEqual([])
    expect((await revert(org, done.import_id)).counts).toMatchObject({ reverted: 0, kept: 0 })
  })
})

describe('phone numbers', () => {
  test('a national phone number is read with the country of its row, else of the import, else of the organization', async () => {
    const org = await app.newOrg({ country: 'US' })
    const csv =
      'name,phone,country\nAda,030 23125000,Deutschland\nGrace,01 42685300,Atlantis\nAlan,01 42685300,\n'
    const done = await importCsv(org, csv, { query: { default_country: 'fr' } })
    expect(done).toMatchObject({ default_country: 'FR', counts: { created: 3 } })
    await importCsv(org, 'name,phone\nJoan,(415) 555-0100\n')
    expect((await contactsOf(org)).map(({ phone }) => phone)).toEqual([
      '+14155550100',
      '+33142685300',
      '+33142685300',
      '+493023125000',
    ])
  })
})
