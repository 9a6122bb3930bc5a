import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sharedTestApp, type TestApp, type TestOrg } from '../support/app.ts'
import { importCsv } from '../support/csv-imports.ts'
import { fieldTools } from '../support/fields.ts'

let app: TestApp
let org: TestOrg
let tools: ReturnType<typeof fieldTools>
beforeAll(async () => {
  app = await sharedTestApp()
})
beforeEach(async () => {
  org = await app.newOrg()
  tools = fieldTools(app, org)
})
afterAll(() => app.close())

const create = (custom: object, more: object = {}) =>
  org.post('/contacts', { first_name: 'A', custom, ...more })
const contactWith = async (custom: object) => (await create(custom)).body.data.contact_id as string
const codeOf = async (contactId: string) => (await org.get(`/contacts/${contactId}`)).body.data.custom.code

describe('a unique value', () => {
  let holder: string
  beforeEach(async () => {
    await tools.define({ key: 'code', type: 'text', unique: true })
    await tools.untilReady()
    holder = await contactWith({ code: 'X-1' })
  })
  const refused = (answer: { status: number; body: { code: string; detail: string } }) => {
    expect([answer.status, answer.body.code]).toEqual([409, 'value_taken'])
    expect(answer.body.detail).toContain(holder)
  }

  test('a unique value is refused for a second record by POST, PATCH and an upsert', async () => {
    refused(await create({ code: 'X-1' }))
    const other = await contactWith({ code: 'X-2' })
    refused(await org.patch(`/contacts/${other}`, { custom: { code: 'X-1' } }))
    const upsert = { match_on: 'email', email: 'a@x.example', custom: { code: 'X-1' } }
    refused(await org.post('/contacts/upsert', upsert))
    expect(await codeOf(other)).toBe('X-2')
    const named = (await org.get('/contacts?custom.code=X-1')).body.data
    expect(named.map(({ contact_id }: { contact_id: string }) => contact_id)).toEqual([holder])
  })

  test('a record can get its own unique value again, and several records can have no value', async () => {
    expect((await org.patch(`/contacts/${holder}`, { custom: { code: ' X-1 ' } })).status).toBe(200)
    expect((await create({ code: null })).status).toBe(201)
    expect((await create({ code: '' })).status).toBe(201)
  })

  test('a unique value fails only its own item of a batch, in the order of the items', async () => {
    const items = [
      { first_name: 'B', custom: { code: 'X-1' } },
      { first_name: 'C', custom: { code: 'X-2' } },
      { first_name: 'D', custom: { code: 'X-2' } },
      { contact_id: holder, custom: { code: 'X-3' } },
      { first_name: 'E', custom: { code: 'X-1' } },
      { first_name: 'F', custom: { code: 'X-3' } },
    ]
    const { data } = (await org.post('/contacts/batch', { items })).body
    const outcomes = data.map(({ outcome, code }: { outcome: string; code?: string }) => code ?? outcome)
    expect(outcomes).toEqual(['value_taken', 'created', 'value_taken', 'updated', 'created', 'value_taken'])
    await tools.expectIndexesComplete()
  })

  test('a unique value of an item that fails is free for the next items', async () => {
    await tools.define({ key: 'card', type: 'text', unique: true })
    await tools.untilReady()
    const items = [
      { first_name: 'B', custom: { card: 'C-1', code: 'X-1' } },
      { first_name: 'C', custom: { card: 'C-1', code: 'X-2' } },
      { contact_id: holder, custom: { code: 'X-3', card: 'C-1' } },
      { first_name: 'D', custom: { code: 'X-1' } },
    ]
    const { data } = (await org.post('/contacts/batch', { items })).body
    const outcomes = data.map(({ outcome, code }: { outcome: string; code?: string }) => code ?? outcome)
    expect(outcomes).toEqual(['value_taken', 'created', 'value_taken', 'value_taken'])
    expect(await codeOf(holder)).toBe('X-1')
  })

  test.each([{}, { match_on: 'email' }])(
    'a row of an import with a used unique value is refused %j',
    async (query) => {
      const csv = 'email,code\na@x.example,X-1\nb@x.example,X-2\nc@x.example,X-2\nd@x.example,\n'
      const dry = await importCsv(org, csv, { query: { ...query, dry_run: 'true' } })
      const done = await importCsv(org, csv, { query })
      expect(done.counts).toMatchObject({ created: 2, refused: 2 })
      const rows = (await org.get(`/imports/${done.import_id}/rows`)).body.data
      expect(rows.map(({ code }: { code: string }) => code)).toEqual(['value_taken', 'value_taken'])
      if (!('match_on' in query)) expect(dry.counts).toMatchObject({ created: 2, refused: 2 })
    },
  )

  test('a unique value is free when its record is archived, and then the record cannot be restored', async () => {
    await org.delete(`/contacts/${holder}`)
    const other = await contactWith({ code: 'X-1' })
    const restored = await org.post(`/contacts/${holder}/restore`)
    expect([restored.status, restored.body.code]).toEqual([409, 'value_taken'])
    expect(restored.body.detail).toContain(other)
    const items = [{ contact_id: holder, action: 'restore' }]
    expect((await org.post('/contacts/batch', { items })).body.data).toMatchObject([{ code: 'value_taken' }])
    await org.post(`/contacts/${other}/erase`)
    expect((await org.post(`/contacts/${holder}/restore`)).status).toBe(200)
  })

  test('a unique value that a merge hides is free, and an undo brings it back although another record has the value now', async () => {
    const absorbed = await contactWith({ code: 'X-2' })
    const sent = { entity_type: 'contact', survivor_id: holder, loser_ids: [absorbed] }
    const { merges } = (await org.post('/duplicates/merge', sent)).body.data
    expect(await codeOf(holder)).toBe('X-1')
    const other = await contactWith({ code: 'X-2' })
    expect((await org.post(`/duplicates/undo-merge/${merges[0].merge_id}`)).status).toBe(200)
    expect([await codeOf(absorbed), await codeOf(other)]).toEqual(['X-2', 'X-2'])
    const both = (await org.get('/contacts?custom.code=X-2')).body.pagination.total
    expect(both).toBe(2)
    expect(
      (await org.patch(`/contacts/${absorbed}`, { last_name: 'B', custom: { code: 'X-2' } })).status,
    ).toBe(200)
    expect((await create({ code: 'X-2' })).status).toBe(409)
  })

  test('a unique value is given to exactly one of many concurrent writes', async () => {
    const writes = Array.from({ length: 12 }, (_, n) =>
      n % 3 === 0
        ? create({ code: 'R' })
        : org.post('/contacts/upsert', { match_on: 'email', email: `${n}@x.example`, custom: { code: 'R' } }),
    )
    const statuses = (await Promise.all(writes)).map(({ status }) => (status === 409 ? 409 : 'written'))
    expect(statuses.filter((status) => status === 'written')).toHaveLength(1)
    expect((await org.get('/contacts?custom.code=R')).body.pagination.total).toBe(1)
  })

  test('a unique value belongs to one record type and one organization', async () => {
    expect((await org.post('/companies', { name: 'A', custom: { code: 'X-1' } })).status).toBe(201)
    const other = await app.newOrg()
    await other.post('/fields', { entity: 'contact', key: 'code', type: 'text', unique: true })
    expect((await other.post('/contacts', { first_name: 'A', custom: { code: 'X-1' } })).status).toBe(201)
    await fieldTools(app, other).untilReady()
  })
})

describe('a unique field', () => {
  test('a unique field is refused while records have equal values, with their number and examples', async () => {
    const [one, two] = [await contactWith({ code: '5' }), await contactWith({ code: 5.0 })]
    await contactWith({ code: '6' })
    const asked = { entity: 'contact', key: 'code', type: 'number', unique: true }
    const answer = await org.post('/fields', asked)
    expect([answer.status, answer.body.code]).toEqual([409, 'field_values_repeated'])
    expect(answer.body.detail).toContain(`"5" (2 records, such as ${one} and ${two})`)
    await org.patch(`/contacts/${two}`, { custom: { code: 7 } })
    expect((await org.post('/fields', asked)).body.data).toMatchObject({ unique: true, filterable: true })
    await tools.untilReady()
    expect((await create({ code: '7.0' })).body.code).toBe('value_taken')
  })

  test('a unique field is enforced while its index is built', async () => {
    const holder = await contactWith({ code: 'X-1' })
    const { field_id } = await tools.define({ key: 'code', type: 'text', unique: true })
    await tools.untilReady()
    await tools.beginIndex(field_id)
    expect((await create({ code: 'X-1' })).body.detail).toContain(holder)
    expect((await create({ code: 'X-2' })).status).toBe(201)
    expect((await create({ code: 'X-2' })).status).toBe(409)
  })

  test('a field can stop being unique, and keeps its index', async () => {
    const { field_id } = await tools.define({ key: 'code', type: 'text', unique: true })
    const change = (fields: object) => org.patch(`/fields/${field_id}`, fields)
    expect((await change({ filterable: false })).status).toBe(422)
    expect((await change({ type: 'boolean' })).status).toBe(422)
    expect((await change({ unique: false })).body.data).toMatchObject({ unique: false, filterable: true })
    await contactWith({ code: 'X-1' })
    await contactWith({ code: 'X-1' })
    expect((await change({ unique: true })).body.code).toBe('field_values_repeated')
    await tools.untilReady()
  })

  test.each(['boolean', 'select', 'multi_select'])('a unique field cannot be a %s', async (type) => {
    const options = type === 'boolean' ? {} : { options: ['a'] }
    const answer = await org.post('/fields', { entity: 'contact', key: 'x', type, unique: true, ...options })
    expect([answer.status, answer.text]).toEqual([422, expect.stringContaining('cannot be unique')])
  })
})
