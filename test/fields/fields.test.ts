import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sharedTestApp, type TestApp, type TestOrg } from '../support/app.ts'
import { importCsv } from '../support/csv-imports.ts'
import { xlsxOf } from '../support/xlsx.ts'

let app: TestApp
let org: TestOrg
beforeAll(async () => {
  app = await sharedTestApp()
})
beforeEach(async () => {
  org = await app.newOrg()
})
afterAll(() => app.close())

const define = (fields: object) => org.post('/fields', { entity: 'contact', type: 'text', ...fields })
const contactWith = async (custom: object) =>
  (await org.post('/contacts', { first_name: 'Ada', custom })).body.data.contact_id as string
const customOf = async (contactId: string) => (await org.get(`/contacts/${contactId}`)).body.data.custom
const keys = async () =>
  (await org.get('/fields?entity=contact')).body.data.fields.map((field: { key: string }) => field.key)

describe('a definition', () => {
  test('a definition has a label, a type, options and a place in the list', async () => {
    const first = await define({ key: 'plan', label: 'Plan', description: 'What the customer pays for' })
    expect([first.status, first.headers.get('etag')]).toEqual([201, '"1"'])
    await define({ key: 'tier', type: 'select', options: ['Gold', 'Silver'], position: 1 })
    const { fields, can_manage } = (await org.get('/fields')).body.data
    expect(can_manage).toBe(true)
    expect(fields).toMatchObject([
      { key: 'tier', label: 'tier', type: 'select', options: ['Gold', 'Silver'], position: 1 },
      { key: 'plan', label: 'Plan', description: 'What the customer pays for', options: [], position: 2 },
    ])
  })

  test('a definition can move, and a deleted definition leaves no gap in the list', async () => {
    for (const key of ['a', 'b', 'c']) await define({ key })
    const [a, b] = (await org.get('/fields')).body.data.fields
    await org.patch(`/fields/${a.field_id}`, { position: 99 })
    expect(await keys()).toEqual(['b', 'c', 'a'])
    expect((await org.delete(`/fields/${b.field_id}`)).status).toBe(204)
    const { fields } = (await org.get('/fields')).body.data
    expect(fields.map((each: { position: number }) => each.position)).toEqual([1, 2])
  })

  test.each<[string, object, number, string]>([
    ['a select without options', { key: 'x', type: 'select' }, 422, 'missing'],
    ['options of a number', { key: 'x', type: 'number', options: ['1'] }, 422, 'has options'],
    ['an option twice', { key: 'x', type: 'select', options: ['Gold', 'gold'] }, 422, 'is listed twice'],
    ['an unknown type', { key: 'x', type: 'money' }, 422, "'text', 'number'"],
    ['an empty key', { key: ' ' }, 422, 'at least 1'],
    ['another record type', { key: 'x', entity: 'persona' }, 422, "'contact', 'company' or 'deal'"],
  ])('a definition with %s is refused', async (_case, fields, status, words) => {
    const { status: answered, text } = await define(fields)
    expect([answered, text]).toEqual([status, expect.stringContaining(words)])
  })

  test('a second definition with the same key and record type gets 409', async () => {
    await define({ key: 'plan' })
    const again = await define({ key: 'plan', type: 'number' })
    expect([again.status, again.body.code]).toEqual([409, 'field_exists'])
    expect(again.body.detail).toMatch(/^This record type already has the field custom\./)
    expect((await define({ key: 'plan', entity: 'deal' })).status).toBe(201)
  })

  test('a definition is not changed if the request names an old version', async () => {
    const { field_id } = (await define({ key: 'plan' })).body.data
    await org.patch(`/fields/${field_id}`, { label: 'Plan' })
    const headers = { 'if-match': '"1"' }
    expect((await org.patch(`/fields/${field_id}`, { label: 'Other' }, { headers })).status).toBe(409)
    expect((await org.delete(`/fields/${field_id}`, { headers })).status).toBe(409)
  })

  test('a definition of another organization can be neither read nor changed', async () => {
    const { field_id } = (await define({ key: 'plan', type: 'number' })).body.data
    const other = await app.newOrg()
    const path = `/fields/${field_id}`
    expect((await other.get('/fields')).body.data.fields).toEqual([])
    for (const { status } of [
      await other.get(path),
      await other.patch(path, { label: 'x' }),
      await other.delete(path),
    ])
      expect(status).toBe(404)
    expect((await other.post('/contacts', { first_name: 'B', custom: { plan: 'text' } })).status).toBe(201)
  })
})

describe('a value of a defined field', () => {
  beforeEach(async () => {
    await define({ key: 'seats', type: 'number' })
    await define({ key: 'tier', type: 'select', options: ['Gold', 'Silver'] })
  })

  const stored = { seats: 5, tier: 'Gold', note: 'free' }
  const sent = { seats: '5', tier: 'gold', note: 'free' }
  const wrong = { seats: 'five', tier: 'Bronze' }

  test.each<[string, (custom: object) => Promise<string>]>([
    ['POST', contactWith],
    [
      'PATCH',
      async (custom) => {
        const id = await contactWith({})
        await org.patch(`/contacts/${id}`, { custom })
        return id
      },
    ],
    [
      'an upsert that creates',
      async (custom) =>
        (await org.post('/contacts/upsert', { match_on: 'email', email: 'a@x.example', custom })).body.data
          .contact_id,
    ],
    [
      'an upsert that updates',
      async (custom) => {
        await org.post('/contacts', { email: 'a@x.example' })
        return (await org.post('/contacts/upsert', { match_on: 'email', email: 'a@x.example', custom })).body
          .data.contact_id
      },
    ],
    [
      'a batch',
      async (custom) => {
        const items = [{ first_name: 'Ada', custom }]
        return (await org.post('/contacts/batch', { items })).body.data[0].contact_id
      },
    ],
  ])('a value of a defined field is stored in the type of the field by %s', async (_way, write) => {
    expect(await customOf(await write(sent))).toEqual(stored)
  })

  test('values that do not fit their definitions are refused with their places, in the order of the definitions, and nothing is stored', async () => {
    const id = await contactWith(stored)
    for (const answer of [
      await org.post('/contacts', { first_name: 'B', custom: wrong }),
      await org.patch(`/contacts/${id}`, { custom: wrong }),
    ]) {
      expect(answer.status).toBe(422)
      expect(answer.body.detail.map(({ loc }: { loc: string[] }) => loc)).toEqual([
        ['body', 'custom', 'seats'],
        ['body', 'custom', 'tier'],
      ])
    }
    expect(await customOf(id)).toEqual(stored)
  })

  test('null and empty text remove a value of a defined field', async () => {
    const id = await contactWith(stored)
    await org.patch(`/contacts/${id}`, { custom: { seats: null, tier: ' ' } })
    expect(await customOf(id)).toEqual({ note: 'free' })
  })

  test('a value of a defined field follows a merge and its undo', async () => {
    const [one, other] = [await contactWith({ seats: 1 }), await contactWith({ tier: 'silver' })]
    const merged = await org.post('/duplicates/merge', {
      entity_type: 'contact',
      survivor_id: one,
      loser_ids: [other],
    })
    expect(merged.status).toBe(200)
    expect(await customOf(one)).toEqual({ seats: 1, tier: 'Silver' })
    await org.patch(`/contacts/${other}`, { custom: { seats: '7' } })
    expect(await customOf(one)).toEqual({ seats: 7, tier: 'Silver' })
    expect((await org.post(`/duplicates/undo-merge/${merged.body.data.merges[0].merge_id}`)).status).toBe(200)
    expect(await customOf(other)).toEqual({ seats: 7, tier: 'Silver' })
  })

  test('an import reads values of defined fields, and refuses a row with a value that does not fit', async () => {
    const csv = 'email,seats,tier\na@x.example,5,gold\nb@x.example,five,Gold\nc@x.example,,\n'
    const done = await importCsv(org, csv)
    expect(done).toMatchObject({ counts: { created: 2, refused: 1 } })
    const { body } = await org.get('/contacts?email=a@x.example')
    expect(body.data[0].custom).toEqual({ seats: 5, tier: 'Gold' })
    const [refusal] = (await org.get(`/imports/${done.import_id}/rows`)).body.data
    expect(refusal.reason).toContain('seats')
  })
})

test('cells of a spreadsheet with a day or a time are read as UTC in a datetime field', async () => {
  await define({ key: 'since', type: 'datetime' })
  const file = xlsxOf([
    ['email', 'since'],
    ['a@x.example', { xml: '<c r="B2" s="2"><v>46236.395833333336</v></c>' }],
    ['b@x.example', { xml: '<c r="B3" s="1"><v>46236</v></c>' }],
  ])
  await importCsv(org, file)
  const { data } = (await org.get('/contacts?sort=created_at')).body
  const since = data.map(({ custom }: { custom: { since: string } }) => custom.since)
  expect(since).toEqual(['2026-08-02T09:30:00Z', '2026-08-02T00:00:00Z'])
})

test('a column of a file is found by the key or the label of a field, in any letter case', async () => {
  await define({ key: 'contract_value', label: 'Value of the contract', type: 'number' })
  await define({ key: 'tier', label: 'Customer ID', type: 'select', options: ['Gold', 'Silver'] })
  await define({ key: 'mail', label: 'Email', type: 'text' })
  const csv = 'Email,Contract Value,customer-id,Customer number\na@x.example,5.50,gold,7\n'
  const inspected = await org.send('POST', '/contacts/imports/inspect', {
    raw: csv,
    headers: { 'content-type': 'text/csv' },
  })
  expect(inspected.body.data.columns).toMatchObject([
    { field: 'email' },
    { field: 'custom:contract_value', samples: ['5.50'] },
    { field: 'custom:tier', samples: ['gold'] },
    { field: null },
  ])
  expect(await importCsv(org, csv)).toMatchObject({ counts: { created: 1, refused: 0 } })
  await importCsv(org, 'Email,VALUE OF THE CONTRACT\nb@x.example,7\n')
  const customs = (await org.get('/contacts?sort=created_at')).body.data.map(
    (each: { custom: object }) => each.custom,
  )
  expect(customs).toEqual([
    { contract_value: 5.5, tier: 'Gold', 'Customer number': '7' },
    { contract_value: 7 },
  ])
})

describe('values that records already have', () => {
  test('a definition is refused if existing values do not fit it, unless the request keeps them', async () => {
    const unfit = await contactWith({ plan: 'pro' })
    await contactWith({ plan: '5' })
    const refused = await define({ key: 'plan', type: 'number' })
    expect([refused.status, refused.body.code]).toEqual([409, 'field_values_unfit'])
    expect(refused.body.detail).toContain(unfit)
    expect(await keys()).toEqual([])
    expect((await define({ key: 'plan', type: 'number', existing: 'keep' })).status).toBe(201)
    expect(await customOf(unfit)).toEqual({ plan: 'pro' })
    expect((await org.patch(`/contacts/${unfit}`, { last_name: 'Lovelace' })).status).toBe(200)
    expect((await org.patch(`/contacts/${unfit}`, { custom: { plan: 'pro' } })).status).toBe(422)
  })

  test('a field cannot get another type or fewer options if existing values would not fit', async () => {
    const { field_id } = (await define({ key: 'tier', type: 'select', options: ['Gold', 'Silver'] })).body
      .data
    await contactWith({ tier: 'Silver' })
    const patch = (fields: object) => org.patch(`/fields/${field_id}`, fields)
    expect((await patch({ options: ['Gold'] })).body.code).toBe('field_values_unfit')
    expect((await patch({ type: 'number' })).body.code).toBe('field_values_unfit')
    expect((await patch({ options: ['Gold', 'Silver', 'Bronze'] })).status).toBe(200)
    expect((await patch({ type: 'text' })).body.data).toMatchObject({ type: 'text', options: [] })
  })

  test('values of a deleted definition stay, and the member accepts any JSON again', async () => {
    const { field_id } = (await define({ key: 'seats', type: 'number' })).body.data
    const id = await contactWith({ seats: 5 })
    await org.delete(`/fields/${field_id}`)
    expect(await customOf(id)).toEqual({ seats: 5 })
    expect((await org.patch(`/contacts/${id}`, { custom: { seats: 'many' } })).status).toBe(200)
  })

  test('existing values always fit a definition that was accepted while records were written', async () => {
    const writes = Array.from({ length: 20 }, (_, i) =>
      org.post('/contacts', { first_name: 'A', custom: { n: i < 10 ? i : 'x' } }),
    )
    const definitions = Array.from({ length: 5 }, () => define({ key: 'n', type: 'number' }))
    const outcomes = (await Promise.all(definitions)).map(({ status }) => status)
    await Promise.all(writes)
    const { data } = (await org.get('/contacts?limit=100')).body
    const texts = data.filter(({ custom }: { custom: { n: unknown } }) => typeof custom.n === 'string').length
    expect(outcomes.includes(201) ? texts : 0).toBe(0)
    expect(outcomes.filter((status) => status === 201).length).toBeLessThanOrEqual(1)
  })
})

test('a number in a defined field keeps all of its digits', async () => {
  await define({ key: 'big', type: 'number' })
  const raw = '{"first_name":"Ada","custom":{"big":12345678901234567890.5}}'
  const created = await org.send('POST', '/contacts', {
    raw,
    headers: { 'content-type': 'application/json' },
  })
  expect(created.text).toContain('"big":12345678901234567890.5')
})

test('an API key that only reads contacts lists fields and changes none', async () => {
  const reader = await app.newKey(org.orgId, { permissions: ['contacts:read'] })
  expect((await reader.get('/fields')).body.data.can_manage).toBe(false)
  expect((await reader.post('/fields', { entity: 'contact', key: 'x', type: 'text' })).status).toBe(403)
})

test('a sandbox with copied settings has the fields of its organization', async () => {
  await define({ key: 'seats', type: 'number' })
  const { api_key_token } = (await org.post('/organization/sandboxes', { name: 'Try', copy: 'settings' }))
    .body.data
  const sandbox = app.client(api_key_token)
  expect((await sandbox.get('/fields')).body.data.fields).toMatchObject([{ key: 'seats', type: 'number' }])
})
