import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { sharedTestApp, type TestOrg } from '../support/app.ts'
import { countDeadlocks } from '../support/deadlocks.ts'
import { runs } from '../support/runs.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

const batch = (org: TestOrg, items: unknown[]) => org.post('/contacts/batch', { items })
const outcomesOf = async (org: TestOrg, items: unknown[]) =>
  (await batch(org, items)).body.data.map(({ outcome }: { outcome: string }) => outcome)
const listed = async (org: TestOrg) => {
  const { data, pagination } = (await org.get('/contacts?limit=100')).body
  expect(pagination.total).toBe(data.length)
  return data.toReversed()
}

test('a batch creates and upserts in order, and each outcome has the index of its item', async () => {
  const org = await app.newOrg()
  const { contact_id: known } = (await org.post('/contacts', { email: 'known@x.example' })).body.data
  const { status, body } = await batch(org, [
    { first_name: 'Ada' },
    { match_on: 'email', email: 'KNOWN@x.example', city: 'Rome' },
    { match_on: 'email', email: 'new@x.example' },
    { email: 'known@x.example' },
    { match_on: 'phone', phone: '(415) 555-0100' },
  ])
  expect(status).toBe(200)
  expect(body.pagination).toBeNull()
  const contact_id = expect.stringMatching(/^[0-9a-f-]{36}$/)
  expect(body.data).toEqual([
    { index: 0, outcome: 'created', contact_id, version: 1 },
    { index: 1, outcome: 'updated', contact_id: known, version: 2 },
    { index: 2, outcome: 'created', contact_id, version: 1 },
    { index: 3, outcome: 'created', contact_id, version: 1 },
    { index: 4, outcome: 'created', contact_id, version: 1 },
  ])
  expect((await listed(org)).map((contact: { contact_id: string }) => contact.contact_id)).toEqual([
    ...[known, ...[0, 2, 3, 4].map((index) => body.data[index].contact_id)],
  ])
})

test('an item matches contacts of earlier items of its batch, and no contacts of later items', async () => {
  const org = await app.newOrg()
  const upsert = (fields: object) => ({ match_on: 'email', ...fields })
  const { data } = (
    await batch(org, [
      upsert({ email: 'a@x.example', external_ids: { crm: '1' }, city: 'first' }),
      { email: 'b@x.example', first_name: 'B' },
      upsert({ email: 'b@x.example', city: 'third' }),
      { match_on: 'external_id', external_ids: { crm: '1' }, emails: ['c@x.example'], city: 'fourth' },
      upsert({ email: 'C@x.example', region: 'fifth' }),
      upsert({ email: 'd@x.example' }),
      { email: 'd@x.example' },
      upsert({ email: 'd@x.example' }),
      upsert({ emails: ['a@x.example', 'b@x.example'] }),
    ])
  ).body
  expect(data.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
    ...['created', 'created', 'updated', 'updated', 'updated', 'created', 'created', 'failed', 'failed'],
  ])
  const [a, b] = await listed(org)
  expect(a).toMatchObject({
    emails: ['a@x.example', 'c@x.example'],
    city: 'fourth',
    region: 'fifth',
    version: 3,
  })
  expect(b).toMatchObject({ first_name: 'B', city: 'third', version: 2 })
  for (const index of [3, 4]) expect(data[index].contact_id).toBe(a.contact_id)
  expect(data[7].detail).toMatch(`2 contacts match on email: ${data[5].contact_id}, ${data[6].contact_id}.`)
  expect(data[8].detail).toMatch(/^2 contacts match on email/)
})

test('two items that match one contact by different keys both change it', async () => {
  const org = await app.newOrg()
  await org.post('/contacts', { email: 'a@x.example', phone: '+14155550100' })
  const items = [
    { match_on: 'email', email: 'a@x.example', city: 'first', tags: ['one'] },
    { match_on: 'phone', phone: '+14155550100', city: 'second', tags: ['two'] },
    { match_on: 'email', email: 'a@x.example', tags: ['three'] },
  ]
  expect(await outcomesOf(org, items)).toEqual(['updated', 'updated', 'updated'])
  const [contact] = await listed(org)
  expect(contact).toMatchObject({ city: 'second', tags: ['one', 'two', 'three'], version: 4 })
})

test('an item does not match an external id that an earlier item replaced', async () => {
  const org = await app.newOrg()
  const items = [
    { email: 'a@x.example', external_ids: { crm: '1' } },
    { match_on: 'email', email: 'a@x.example', external_ids: { crm: '2' } },
    { match_on: 'external_id', external_ids: { crm: '1' } },
    { match_on: 'external_id', external_ids: { crm: '2' } },
  ]
  expect(await outcomesOf(org, items)).toEqual(['created', 'updated', 'created', 'updated'])
  const others = [
    { match_on: 'external_id', external_ids: { crm: '1' }, email: 'b@x.example' },
    { match_on: 'email', email: 'a@x.example', external_ids: { crm: '3', erp: '1' } },
    { match_on: 'external_id', external_ids: { crm: '2', erp: '2' } },
  ]
  expect(await outcomesOf(org, others)).toEqual(['updated', 'updated', 'created'])
})

test('an invalid item of a batch fails, and the other items succeed', async () => {
  const org = await app.newOrg()
  const company_id = '0190a000-0000-7000-8000-000000000000'
  await org.post('/contacts', { email: 'twice@x.example' })
  await org.post('/contacts', { email: 'twice@x.example' })
  const bad: [unknown, unknown, string?][] = [
    [{ email: 'nobody' }, [{ type: 'value_error', loc: ['email'] }]],
    [
      { first_name: 7, tags: [''] },
      [
        { type: 'string_type', loc: ['first_name'] },
        { type: 'string_too_short', loc: ['tags', 0] },
      ],
    ],
    [{ phones: ['+14155550100', '12'] }, [{ type: 'value_error', loc: ['phones', 1] }]],
    [{ city: 'Rome' }, [{ type: 'value_error', loc: [] }], 'identity_missing'],
    [{}, [{ type: 'value_error', loc: [] }], 'identity_missing'],
    [{ match_on: 'name', email: 'a@x.example' }, [{ type: 'literal_error', loc: ['match_on'] }]],
    [
      { match_on: 'email', phone: '+14155550100' },
      [{ type: 'value_error', loc: ['match_on'] }],
      'match_key_missing',
    ],
    [7, [{ type: 'model_attributes_type', loc: [] }]],
    [null, [{ type: 'missing', loc: [] }]],
    ['ada', [{ type: 'model_attributes_type', loc: [] }]],
    [[{ first_name: 'Ada' }], [{ type: 'model_attributes_type', loc: [] }]],
    [{ first_name: 'Ada', company_id: 'seven' }, [{ type: 'uuid_parsing', loc: ['company_id'] }]],
    [{ first_name: 'Ada', company_id }, expect.stringMatching(/^company_id: /), 'reference_not_found'],
    [
      { match_on: 'email', email: 'new@x.example', company_id },
      expect.stringMatching(/^company_id: /),
      'reference_not_found',
    ],
    [
      { match_on: 'email', email: 'twice@x.example' },
      expect.stringMatching(/^2 contacts/),
      'ambiguous_match',
    ],
  ]
  const items = bad.flatMap(([item], index) => [item, { first_name: `Good ${index}` }])
  const { status, body } = await batch(org, items)
  expect(status).toBe(200)
  for (const [at, [item, detail, code = 'validation_failed']] of bad.entries()) {
    const outcome = body.data[at * 2]
    expect([item, Object.keys(outcome).sort()]).toEqual([item, ['code', 'detail', 'index', 'outcome']])
    const expected = Array.isArray(detail)
      ? detail.map((each) => expect.objectContaining({ ...each, msg: expect.any(String) }))
      : detail
    expect(outcome).toEqual({ index: at * 2, outcome: 'failed', code, detail: expected })
    expect(body.data[at * 2 + 1]).toEqual({
      index: at * 2 + 1,
      outcome: 'created',
      contact_id: expect.any(String),
      version: 1,
    })
  }
  expect(await listed(org)).toHaveLength(2 + bad.length)
  expect((await org.get('/events?type=contact.created')).body.pagination.total).toBe(2 + bad.length)
})

test('the answer to a batch lists at most 1,000 problems, and counts the others', async () => {
  const org = await app.newOrg()
  const phones = Array.from({ length: 50 }, (_, at) => `12${at}`)
  const { body } = await org.post('/contacts/batch', {
    items: Array.from({ length: 30 }, () => ({ last_name: 'Lovelace', phones })),
  })
  const details = body.data.map(({ detail }: { detail: unknown }) => detail)
  expect(details.slice(0, 20).map((detail: unknown[]) => detail.length)).toEqual(Array(20).fill(50))
  expect(details.slice(20)).toEqual(
    Array(10).fill(
      'The item has 50 problems. One answer lists at most 1000 problems: send the item in a smaller batch to see them.',
    ),
  )
})

test('a batch of 500 items creates 500 contacts and 500 events; a batch of 501 items or none gets 422', async () => {
  const org = await app.newOrg()
  const items = Array.from({ length: 500 }, (_, n) => ({ email: `p${n}@x.example`, first_name: `P${n}` }))
  const { status, body } = await batch(org, items)
  expect(status).toBe(200)
  const ids = body.data.map(({ contact_id }: { contact_id: string }) => contact_id)
  expect(new Set(ids).size).toBe(500)
  expect(ids).toEqual(ids.toSorted())
  const { data, pagination } = (await org.get('/contacts?limit=100')).body
  expect(pagination.total).toBe(500)
  expect(data.map((contact: { contact_id: string }) => contact.contact_id)).toEqual(ids.slice(400).reverse())
  expect((await org.get('/events?type=contact.created')).body.pagination.total).toBe(500)
  const again = await batch(
    org,
    items.map((item) => ({ ...item, match_on: 'email', city: 'Rome' })),
  )
  expect(new Set(again.body.data.map(({ outcome }: { outcome: string }) => outcome))).toEqual(
    new Set(['updated']),
  )
  expect((await org.get('/events?type=contact.updated')).body.pagination.total).toBe(500)
  const tooMany = await batch(org, [...items, {}])
  expect([tooMany.status, tooMany.body.detail[0]]).toMatchObject([
    422,
    { type: 'too_long', loc: ['body', 'items'] },
  ])
  const none = await batch(org, [])
  expect([none.status, none.body.detail[0]]).toMatchObject([
    422,
    { type: 'too_short', loc: ['body', 'items'] },
  ])
  expect((await org.get('/contacts')).body.pagination.total).toBe(500)
})

describe('deadlocks', () => {
  const upserts = (emails: string[], city: string) =>
    emails.map((email) => ({ match_on: 'email', email, city }))

  test('concurrent batches with the same keys in opposite orders do not deadlock', async () => {
    const org = await app.newOrg()
    const emails = Array.from({ length: 60 }, (_, n) => `p${n}@x.example`)
    const orders = [emails, emails.toReversed(), [...emails.slice(30), ...emails.slice(0, 30)]]
    const rounds = [...orders, ...orders].map((order, n) => batch(org, upserts(order, `City ${n}`)))
    for (const { status } of await Promise.all(rounds)) expect(status).toBe(200)
    expect(await listed(org)).toHaveLength(60)
    expect(await countDeadlocks(app)).toBe(0)
  })

  test('concurrent batches that match the same contacts by different keys do not deadlock', async () => {
    const org = await app.newOrg()
    const people = Array.from({ length: 60 }, (_, n) => ({
      email: `p${n}@x.example`,
      external_ids: { crm: `${n}` },
    }))
    await batch(org, people)
    const byEmail = people.map(({ email }) => ({ match_on: 'email', email, tags: ['email'] }))
    const byId = people
      .map(({ external_ids }) => ({ match_on: 'external_id', external_ids, tags: ['id'] }))
      .reverse()
    const answers = await Promise.all(
      [byEmail, byId, byEmail.toReversed(), byId.toReversed()].map((items) => batch(org, items)),
    )
    for (const { status } of answers) expect(status).toBe(200)
    for (const { tags, version } of await listed(org))
      expect([tags.toSorted(), version]).toEqual([['email', 'id'], 3])
    expect(await countDeadlocks(app)).toBe(0)
  })
})

test('a batch creates the same contacts as single requests with its items', async () => {
  const email = fc.constantFrom('a@x.example', 'b@x.example', 'C@x.example', 'c@x.example')
  const crm = fc.constantFrom('1', '2', '3')
  const item = fc.record(
    {
      match_on: fc.constantFrom('email', 'external_id'),
      email,
      emails: fc.array(email, { maxLength: 2 }),
      external_ids: crm.map((id) => ({ crm: id })),
      city: fc.constantFrom('Rome', 'Oslo', ''),
      tags: fc.array(fc.constantFrom('t', 'u', ''), { maxLength: 2 }),
    },
    { requiredKeys: [] },
  )
  const seen = async (org: TestOrg) =>
    (await listed(org)).map(
      ({ contact_id: _, created_at: __, updated_at: ___, ...rest }: Record<string, unknown>) => rest,
    )
  await fc.assert(
    fc.asyncProperty(fc.array(item, { minLength: 1, maxLength: 12 }), async (items) => {
      const [whole, single] = [await app.newOrg(), await app.newOrg()]
      const outcomes = await outcomesOf(whole, items)
      const expected: string[] = []
      for (const each of items) expected.push(...(await outcomesOf(single, [each])))
      expect(outcomes).toEqual(expected)
      expect(await seen(whole)).toEqual(await seen(single))
    }),
    { numRuns: runs(3, 25) },
  )
})
