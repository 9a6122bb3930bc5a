import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { limitExpensiveLists } from '../../src/records/expensive.ts'
import { sharedTestApp, type TestOrg } from '../support/app.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

let org: TestOrg
let companyId: string
const ids: Record<string, string> = {}
const people = [
  {
    ...{ first_name: 'Ada', last_name: 'Lovelace', email: 'ada@x.example', city: 'London', tags: ['vip'] },
    ...{
      lifecycle_stage: 'lead',
      custom: { plan: 'gold', seats: 5, active: true },
      external_ids: { crm: '1' },
    },
  },
  {
    ...{ first_name: 'Bob', last_name: 'Ames', phone: '+14155550100', city: 'Paris' },
    ...{ custom: { plan: 'basic', seats: '5' }, consent: { email: 'granted' } },
  },
  { first_name: 'Cy', email: 'cy@y.example', city: 'London', tags: ['vip', 'a'] },
  { email: 'nobody@y.example' },
]

beforeAll(async () => {
  org = await app.newOrg()
  companyId = (await org.post('/companies', { name: 'Acme', employee_count: 250 })).body.data.company_id
  for (const [index, fields] of people.entries()) {
    const company = index === 0 ? { company_id: companyId } : {}
    const { body } = await org.post('/contacts', { ...fields, ...company })
    ids[fields.first_name ?? 'nobody'] = body.data.contact_id
  }
})

const nameOf = (contact: { first_name: string | null }) => contact.first_name ?? 'nobody'

/** The people that a query or a tree finds, in the order of creation. */
async function found(asked: string | object): Promise<string[]> {
  const { status, body } =
    typeof asked === 'string'
      ? await org.get(`/contacts?sort=created_at&${asked}`)
      : await org.post('/contacts/search', { filter: asked, sort: 'created_at' })
  expect([status, body.detail]).toEqual([200, undefined])
  expect(body.pagination.total).toBe(body.data.length)
  return body.data.map(nameOf)
}

test.each([
  ['city=London', ['Ada', 'Cy']],
  ['city[ne]=London', ['Bob', 'nobody']],
  ['city[in]=Paris,Rome', ['Bob']],
  ['city[starts_with]=Lon', ['Ada', 'Cy']],
  ['city[is_null]=true', ['nobody']],
  ['city=London&email[is_null]=false&last_name=Lovelace', ['Ada']],
  ['email=ADA@x.example', ['Ada']],
  ['email[in]=ada@x.example,cy@y.example', ['Ada', 'Cy']],
  ['email[ne]=ada@x.example', ['Bob', 'Cy', 'nobody']],
  ['email[starts_with]=cy', ['Cy']],
  ['phone=(415) 555-0100', ['Bob']],
  ['tag[in]=a,vip', ['Ada', 'Cy']],
  ['tags=a', ['Cy']],
  ['external_id=crm:1', ['Ada']],
  ['external_id=crm:2', []],
  ['lifecycle_stage=lead', ['Ada']],
  ['consent.email=granted', ['Bob']],
  ['custom.plan=gold', ['Ada']],
  ['custom.plan[ne]=gold', ['Bob', 'Cy', 'nobody']],
  ['custom.seats=5', ['Ada', 'Bob']],
  ['custom.active=true', ['Ada']],
  ['custom.plan[is_null]=true', ['Cy', 'nobody']],
  ['version=1', ['Ada', 'Bob', 'Cy', 'nobody']],
  ['version[gt]=1', []],
  ['created_at[lt]=100', []],
  ['created_at[gte]=100', ['Ada', 'Bob', 'Cy', 'nobody']],
  ['archived_at[is_null]=false', []],
])('GET /contacts?%s finds %j', async (query, names) => {
  expect(await found(query)).toEqual(names)
})

test('filters by ids and by references find the right records', async () => {
  expect(await found(`contact_id[in]=${ids.Ada},${ids.Cy}`)).toEqual(['Ada', 'Cy'])
  expect(await found(`company_id=${companyId}`)).toEqual(['Ada'])
  expect(await found(`company_id[ne]=${companyId}`)).toEqual(['Bob', 'Cy', 'nobody'])
  expect(await found('company_id[is_null]=true')).toEqual(['Bob', 'Cy', 'nobody'])
  const companies = await org.get('/companies?employee_count[gte]=250&employee_count[lt]=251')
  expect(companies.body.data).toMatchObject([{ name: 'Acme' }])
})

test('filtering by an absorbed id finds the canonical record', async () => {
  const [kept, gone] = [
    await org.post('/contacts', { first_name: 'K' }),
    await org.post('/contacts', { first_name: 'G' }),
  ]
  const [keptId, goneId] = [kept.body.data.contact_id, gone.body.data.contact_id]
  const body = { entity_type: 'contact', survivor_id: keptId, loser_ids: [goneId] }
  expect((await org.post('/duplicates/merge', body)).status).toBe(200)
  const { data } = (await org.get(`/contacts?contact_id=${goneId}`)).body
  expect(data).toMatchObject([{ contact_id: keptId }])
  await org.post(`/contacts/${keptId}/erase`)
})

const london = { field: 'city', value: 'London' }
const vip = { field: 'tag', op: 'eq', value: 'vip' }

test.each([
  [london, ['Ada', 'Cy']],
  [{ not: london }, ['Bob', 'nobody']],
  [{ and: [london, { not: { field: 'last_name', op: 'is_null', value: true } }] }, ['Ada']],
  [{ or: [vip, { field: 'city', value: 'Paris' }] }, ['Ada', 'Bob', 'Cy']],
  [{ not: { or: [vip, { field: 'phone', op: 'is_null', value: false }] } }, ['nobody']],
  [{ field: 'custom.seats', op: 'in', value: [5, 6] }, ['Ada', 'Bob']],
  [{ field: 'custom.active', value: true }, ['Ada']],
])('POST /contacts/search with %j finds %j', async (filter, names) => {
  expect(await found(filter)).toEqual(names)
})

const hundredPhones = { field: 'phone', op: 'in', value: Array(100).fill('07700 900123') }
const deep = (levels: number): object => (levels === 1 ? london : { not: deep(levels - 1) })

describe('a filter that cannot be read is a 422 at its place', () => {
  test.each([
    [{}, ['filter'], 'one of and, or, not and field'],
    [{ and: [] }, ['filter', 'and'], 'at least one'],
    [{ and: london }, ['filter', 'and'], 'valid list'],
    [
      { and: [london, { or: [{ field: 'citty', value: 1 }] }] },
      ['filter', 'and', 1, 'or', 0, 'field'],
      'mean city',
    ],
    [{ ...london, op: 'like' }, ['filter', 'op'], 'operators eq'],
    [{ field: 'version', op: 'starts_with', value: 'x' }, ['filter', 'op'], 'operators eq'],
    [{ field: 'version', op: 'in', value: [1, 'x'] }, ['filter', 'value', 1], 'valid integer'],
    [{ field: 'city' }, ['filter', 'value'], 'Field required'],
    [{ ...london, vale: 1 }, ['filter', 'vale'], 'not permitted'],
    [{ field: 'phone', value: '12' }, ['filter', 'value'], 'phone'],
    [{ field: 'city', op: 'in', value: Array(101).fill('x') }, ['filter', 'value'], 'at most 100'],
    [{ field: 'city', value: 'x'.repeat(1001) }, ['filter', 'value'], 'at most 1000'],
    [deep(9), ['filter', ...Array(8).fill('not')], 'at most 8 levels'],
    [{ or: Array(101).fill(london) }, ['filter'], 'at most 100 conditions'],
    [{ or: Array(5).fill(hundredPhones) }, ['filter'], 'at most 200 values'],
  ])('the filter %j gets a 422 that names its place', async (filter, path, words) => {
    const { status, body } = await org.post('/contacts/search', { filter })
    expect([status, body.detail?.[0].loc]).toEqual([422, ['body', ...path]])
    expect(body.detail[0].msg).toContain(words)
  })

  test.each([
    ['emial=a@x.example', 'emial', 'Extra inputs'],
    ['city[like]=x', 'city[like]', 'operators eq'],
    ['version[gt]=x', 'version[gt]', 'valid integer'],
    ['external_id=1', 'external_id', '<system>:<id>'],
    ['sort=city', 'sort', "'-created_at'"],
    ['fields=contact_id,emial', 'fields', 'mean email'],
    ['limit=501', 'limit', 'less than or equal to 500'],
  ])('GET /contacts?%s is a 422 that names the parameter', async (query, name, words) => {
    const { status, body } = await org.get(`/contacts?${query}`)
    expect([status, body.detail?.[0].loc]).toEqual([422, ['query', name]])
    expect(body.detail[0].msg).toContain(words)
  })
})

test('`fields` shows only the named fields in lists, searches and reads', async () => {
  const expected = { contact_id: ids.Ada, email: 'ada@x.example', version: 1 }
  const asked = 'email,contact_id,version'
  expect((await org.get(`/contacts?first_name=Ada&fields=${asked}`)).body.data).toEqual([expected])
  expect((await org.get(`/contacts/${ids.Ada}?fields=${asked}`)).body.data).toEqual(expected)
  const search = { filter: { field: 'first_name', value: 'Ada' }, fields: ['email', 'contact_id', 'version'] }
  expect((await org.post('/contacts/search', search)).body.data).toEqual([expected])
  const { data, pagination } = (await org.get('/contacts?fields=email&limit=1&sort=name')).body
  expect(data).toEqual([{ email: null }])
  const next = await org.get(`/contacts?fields=email&limit=3&sort=name&cursor=${pagination.next_cursor}`)
  expect(next.body.data).toEqual([
    { email: 'cy@y.example' },
    { email: 'ada@x.example' },
    { email: 'nobody@y.example' },
  ])
})

test('sort orders ascending or descending, and lists records without the field last', async () => {
  const named = async (sort: string) => (await org.get(`/contacts?sort=${sort}`)).body.data.map(nameOf)
  expect(await named('name')).toEqual(['Bob', 'Cy', 'Ada', 'nobody'])
  expect(await named('-name')).toEqual(['Ada', 'Cy', 'Bob', 'nobody'])
  expect(await named('created_at')).toEqual(['Ada', 'Bob', 'Cy', 'nobody'])
  expect(await named('-created_at')).toEqual(['nobody', 'Cy', 'Bob', 'Ada'])
})

test('a cursor with another filter or sort gets 422, and the order of parameters does not matter', async () => {
  const page = (query: string) => org.get(`/contacts?${query}`)
  const { next_cursor: cursor } = (await page('city=London&version=1&sort=name&limit=1')).body.pagination
  expect((await page(`sort=name&version=1&city=London&cursor=${cursor}`)).body.data.map(nameOf)).toEqual([
    'Ada',
  ])
  for (const other of ['city=London&version=1', 'city=Paris&version=1&sort=name', 'sort=name'])
    expect((await page(`${other}&cursor=${cursor}`)).body.detail[0].loc).toEqual(['query', 'cursor'])
  const searched = { filter: london, limit: 1 }
  const { next_cursor: next } = (await org.post('/contacts/search', searched)).body.pagination
  const second = await org.post('/contacts/search', { ...searched, cursor: next })
  expect(second.body.data.map(nameOf)).toEqual(['Ada'])
  const wrong = await org.post('/contacts/search', { cursor: next })
  expect(wrong.body.detail[0].loc).toEqual(['body', 'cursor'])
})

test('the method QUERY gets the same answer as POST /contacts/search', async () => {
  const headers = { authorization: `Bearer ${org.token}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ filter: london, fields: ['first_name'] })
  const answer = await fetch(`${app.address}/v1/contacts`, { method: 'QUERY', headers, body })
  expect([answer.status, ((await answer.json()) as { data: unknown }).data]).toEqual([
    200,
    [{ first_name: 'Cy' }, { first_name: 'Ada' }],
  ])
})

test('an Idempotency-Key has no effect on a search: it always answers with the current records', async () => {
  const headers = { 'idempotency-key': 'a search' }
  const search = async () =>
    (await org.post('/contacts/search', { filter: { field: 'city', value: 'Rome' } }, { headers })).body.data
  expect(await search()).toEqual([])
  const { contact_id: id } = (await org.post('/contacts', { first_name: 'R', city: 'Rome' })).body.data
  expect(await search()).toMatchObject([{ first_name: 'R' }])
  await org.post(`/contacts/${id}/erase`)
})

test('a third concurrent list without an index gets 429 with the code expensive_query; indexed lists are answered', async () => {
  const [one, two] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const owner = org.orgId
  const busy = [one, two].map(({ promise }) => limitExpensiveLists(owner, () => promise))
  const refused = await org.get('/contacts?city=London')
  expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([
    ...[429, 'expensive_query', '1'],
  ])
  expect((await org.post('/contacts/search', { filter: { not: london } })).status).toBe(429)
  for (const query of ['', '?tag=vip&city=London', '?sort=-updated_at', '?external_id=crm:1&sort=name'])
    expect((await org.get(`/contacts${query}`)).status).toBe(200)
  one.resolve()
  await busy[0]
  // If this process also serves other tests, these wait for the second list.
  const admitted = ['?city=London', '?q=ada&city=London'].map((query) => org.get(`/contacts${query}`))
  two.resolve()
  await busy[1]
  for (const answer of await Promise.all(admitted)) expect(answer.status).toBe(200)
})
