import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { sharedTestApp } from '../support/app.ts'

const app = await sharedTestApp()
afterAll(() => app.close())
const org = await app.newOrg()

test('a body with the content type of a form gets 422 with the content type to send', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const { status, body } = await org.post('/contacts', undefined, { raw: '{"first_name":"Ada"}', headers })
  expect([status, body.detail[0].type, body.detail[0].loc]).toEqual([422, 'model_attributes_type', ['body']])
  expect(body.detail[0].ctx.expected).toBe(
    'JSON with the header Content-Type: application/json; the Content-Type of this request is application/x-www-form-urlencoded',
  )
})

test.each([
  ['contacts', { first_name: 'Ada' }, { version: 2 }, 'the version in the header If-Match'],
  ['contacts', { first_name: 'Ada' }, { name: 'Ada L' }, 'the members first_name and last_name'],
  [
    'deals',
    { name: 'Deal' },
    { status: 'won' },
    'POST /deals/{deal_id}/close or POST /deals/{deal_id}/reopen',
  ],
])(
  'a PATCH of %s created with %j gets a hint for the misplaced member of %j',
  async (path, fields, sent, expected) => {
    const { body } = await org.post(`/${path}`, fields)
    const answer = await org.patch(`/${path}/${body.data.contact_id ?? body.data.deal_id}`, sent)
    expect(answer.status).toBe(422)
    expect(answer.body.detail).toMatchObject([{ type: 'extra_forbidden', ctx: { expected } }])
  },
)

const filterExpected =
  '<field>=<value> or <field>[<operator>]=<value>; a tree of conditions belongs in POST …/search'
const keyExpected = 'the key in the header Authorization: Bearer <api_key>, never in an address'
const exportExpected = 'nothing: an export has no pages, and sends all records that match the filters'

test.each([
  [
    '/contacts?updated_since=1795390502000',
    { le: 253402300799, expected: 'Unix seconds, such as 1795390502' },
  ],
  ['/contacts?updated_since=2026-11-22', { expected: 'Unix seconds, such as 1795390502' }],
  ['/contacts?cty=Rome', { nearest: 'city' }],
  ['/contacts?order_by=name', { nearest: 'sort' }],
  ['/contacts?offset=20', { nearest: 'page' }],
  ['/contacts?fields=id', { nearest: 'contact_id' }],
  ['/contacts?search=ada', { nearest: 'q' }],
  ['/contacts?query=ada', { nearest: 'q' }],
  ['/contacts?filter[city]=Rome', { expected: filterExpected }],
  ['/companies?filter=Rome', { expected: filterExpected }],
  ['/contacts?api_key=x', { expected: keyExpected }],
  ['/organization?access_token=x', { expected: keyExpected }],
  ['/contacts/export?limit=10', { expected: exportExpected }],
  ['/deals/export?cursor=x', { expected: exportExpected }],
  ['/contacts/export?page=2', { expected: exportExpected }],
  ['/contacts/export?plan=gold', { expected: 'custom.<key> for a field of your own' }],
  ['/contacts?consent.email=yes', { expected: "'granted', 'denied' or 'unknown'" }],
])('%s is a 422 with the hint %j', async (path, hint) => {
  const { status, body } = await org.get(path)
  expect([status, body.detail[0].ctx]).toEqual([422, hint])
})

test('a condition with `operator` is a 422 that suggests `op`', async () => {
  const filter = { field: 'city', operator: 'eq', value: 'Rome' }
  const { body } = await org.post('/contacts/search', { filter })
  expect(body.detail[0].ctx).toEqual({ nearest: 'op' })
})

test('a tree of conditions as the `filter` of a push is a 422 that names `conditions`', async () => {
  const tree = { field: 'tag', op: 'eq', value: 'vip' }
  for (const filter of [tree, { and: [tree] }]) {
    const { status, body } = await org.post('/integrations/crm-sync/leads/push', {
      connection_id: randomUUID(),
      filter,
    })
    expect(status).toBe(422)
    for (const { ctx } of body.detail) expect(ctx.expected).toBe('a tree of conditions as `conditions`')
  }
})

test('an unknown member of a bulk change is a 422 with the members that it can have', async () => {
  const { body } = await org.post('/bulk-changes', { entity: 'contact', change: { city: 'Rome' } })
  const expected = 'owner_id, add_tags, remove_tags, custom or archive'
  expect(body.detail).toMatchObject([{ loc: ['body', 'change', 'city'], ctx: { expected } }])
})

test('a filter with many unknown names gets at most 1,000 problems, and hints for 10', async () => {
  const unknown = Object.fromEntries(Array.from({ length: 700 }, (_, index) => [`valu${index}`, 1]))
  const condition = { field: 'city', value: 'Rome', ...unknown }
  const { status, body } = await org.post('/contacts/search', { filter: { or: Array(50).fill(condition) } })
  expect([status, body.detail.length]).toEqual([422, 1000])
  expect(body.detail.filter(({ ctx }: { ctx?: { nearest?: string } }) => ctx?.nearest)).toHaveLength(10)
})

test('a request with unknown names in many objects gets at most 1,000 problems, and hints for 10', async () => {
  const unknown = Object.fromEntries(Array.from({ length: 90 }, (_, index) => [`number${index}`, 1]))
  const suppressions = Array(30).fill({ number: '+12025550148', ...unknown })
  const { status, body } = await org.post('/voice/suppressions/import', { suppressions })
  expect([status, body.detail.length]).toEqual([422, 1000])
  expect(body.detail.filter(({ ctx }: { ctx?: { nearest?: string } }) => ctx?.nearest)).toHaveLength(10)
})

test('a filter with many unknown fields gets hints for 10', async () => {
  const or = Array.from({ length: 50 }, () => ({ field: 'citi', value: 'Rome' }))
  const { status, body } = await org.post('/contacts/search', { filter: { or } })
  expect([status, body.detail.length]).toEqual([422, 50])
  expect(body.detail.filter(({ ctx }: { ctx?: { nearest?: string } }) => ctx?.nearest)).toHaveLength(10)
})

test('a body that is a list gets 422 with the address that takes a list', async () => {
  const expectedFor = async (path: string, sent: unknown) =>
    (await org.post(path, sent)).body.detail.map(({ ctx }: { ctx?: { expected: string } }) => ctx?.expected)
  const one = (path: string) => [`one object; POST ${path} takes {"items": [\u2026]}`]
  expect(await expectedFor('/contacts', [{ first_name: 'Ada' }])).toEqual(one('/contacts/batch'))
  expect(await expectedFor('/deals', [])).toEqual(one('/deals/batch'))
  expect(await expectedFor('/contacts/batch', [{ first_name: 'Ada' }])).toEqual([
    'an object with the list as a member: {"items": [\u2026]}',
  ])
  expect(await expectedFor('/personas', [])).toEqual(['one object, not a list'])
})

test('a request without its body gets 422 with the advice to send one', async () => {
  const { status, body } = await org.post('/contacts')
  expect([status, body.detail]).toEqual([
    422,
    [{ type: 'missing', loc: ['body'], msg: 'Field required', ctx: { expected: noBodyExpected } }],
  ])
})

const noBodyExpected = 'a JSON object with Content-Type: application/json; this request has no body'

test.each([
  ['{"first_name":"Ada",}', 20, true],
  ['{"first_name":"Ada","tags":["a" , ]}', 34, true],
  ['{"first_name":"\u{1F600}",\n}', 19, true],
  ['{"first_name":}', 14, false],
  ["{'first_name':'Ada'}", 1, false],
])('%s is a 422 that points to the superfluous comma: %j, %j', async (raw, at, isComma) => {
  const headers = { 'content-type': 'application/json' }
  const { body } = await org.post('/contacts', undefined, { raw, headers })
  expect(body.detail[0].loc).toEqual(['body', at])
  expect(body.detail[0].ctx.expected).toBe(isComma ? 'no comma after the last member' : undefined)
})

test.each([
  ['/contacts/batch', { contacts: [] }, 'contacts', 'items'],
  ['/notes', { contact_id: randomUUID(), entity_type: 'contact', text: 'x' }, 'contact_id', 'record_id'],
  ['/notes', { record_id: randomUUID(), entity_type: 'contact', note: 'x' }, 'note', 'text'],
  ['/webhooks/endpoints', { url: 'https://example.com', events: ['*'] }, 'events', 'types'],
  ['/contacts/search', { query: 'Ada' }, 'query', 'q'],
])('POST %s with %j gets for %s the hint %s', async (path, sent, name, nearest) => {
  const { body } = await org.post(path, sent)
  expect(body.detail).toContainEqual(expect.objectContaining({ loc: ['body', name], ctx: { nearest } }))
})

test.each([
  ['POST', '/contacts/import', '/contacts/imports'],
  ['POST', '/companies/import', '/companies/imports'],
  ['POST', '/contacts/bulk', null],
  ['GET', '/contacts/batch', null],
  ['PUT', `/contacts/${randomUUID()}`, null],
  ['PUT', '/contacts/12', null],
])('%s %s is a 405 that names the nearest path: %s', async (method, path, nearest) => {
  const answer = await org.send(method, path, {})
  expect([answer.status, answer.body.code]).toEqual([405, 'method_not_allowed'])
  const hint = /\. The nearest path is (\S+)$/.exec(answer.body.detail)?.[1] ?? null
  expect(hint).toBe(nearest)
})

test.each([
  ['/contacts/exports', '/contacts/export'],
  ['/contacts/import', '/contacts/imports'],
  ['/contacts/123', undefined],
])('GET %s is a 422 with the nearest path %s', async (path, nearest) => {
  const { status, body } = await org.get(path)
  expect([status, body.detail[0].type, body.detail[0].ctx.nearest]).toEqual([422, 'uuid_parsing', nearest])
})

test.each([
  ['/contacts/ada@example.com', '/contacts?email'],
  ['/contacts/ada%40example.com/activity', '/contacts?email'],
  ['/contacts/+12025550100', '/contacts?phone'],
  ['/contacts/crm:D-17', '/contacts?external_id'],
  ['/companies/acme.example', '/companies?domain'],
])('GET %s is a 422 that says how to find the record: %s', async (path, list) => {
  const { status, body } = await org.get(path)
  const expected = `an id. GET ${list}=… finds records by this value`
  expect([status, body.detail[0].type, body.detail[0].ctx.expected]).toEqual([422, 'uuid_parsing', expected])
})

test.each(['/deals/acme.example', '/contacts/ada', `/contacts/${'x'.repeat(400)}@example.com`])(
  'GET %s is a 422 that names no list, because no list finds a record by this value',
  async (path) => {
    const { status, body } = await org.get(path)
    expect([status, body.detail[0].ctx.expected]).toEqual([422, undefined])
  },
)

test.each(['"', "'", '<'])('an API key that begins with %s gets 401 that says so', async (mark) => {
  const closing = mark === '<' ? '>' : mark
  const authorization = `Bearer ${mark}${org.token}${closing}`
  const { status, body } = await org.get('/contacts', { headers: { authorization } })
  expect([status, body.code]).toEqual([401, 'api_key_unknown'])
  expect(body.detail).toContain('Send the key without the quotation marks or brackets around it')
})

test('deals are filtered by a currency in any letter case', async () => {
  await org.post('/deals', { name: 'Euros', amount_cents: 1, currency: 'EUR' })
  expect((await org.get('/deals?currency=eur')).body.data).toMatchObject([{ name: 'Euros' }])
  expect((await org.get('/deals?currency=euro')).status).toBe(422)
})
