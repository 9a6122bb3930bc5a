import { afterAll, expect, test } from 'vitest'
import type { Detail } from '../../src/platform/http/validation.ts'
import { sharedTestApp, type TestOrg } from '../support/app.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

/** The first names in a filtered list, in the order of creation. Also checks that each page has the exact total. */
async function named(org: TestOrg, query: Record<string, string | number>): Promise<string[]> {
  const text = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  const whole = await org.get(`/contacts?${text}&limit=100`)
  expect([whole.status, whole.body.detail]).toEqual([200, undefined])
  const names = whole.body.data.map((contact: { first_name: string }) => contact.first_name)
  expect(whole.body.pagination.total).toBe(names.length)
  const paged: string[] = []
  for (let cursor = ''; paged.length < names.length; ) {
    const { data, pagination } = (await org.get(`/contacts?${text}&limit=2${cursor}`)).body
    expect([data.length > 0, pagination.total]).toEqual([true, names.length])
    paged.push(...data.map((contact: { first_name: string }) => contact.first_name))
    cursor = `&cursor=${pagination.next_cursor}`
  }
  expect(paged).toEqual(names)
  return names.reverse()
}

const make = async (org: TestOrg, first_name: string, fields: object = {}) =>
  (await org.post('/contacts', { first_name, ...fields })).body.data

test('each filter selects contacts, and several filters combine', async () => {
  const org = await app.newOrg()
  const companies: string[] = []
  for (const name of ['Acme', 'Other'])
    companies.push((await org.post('/companies', { name })).body.data.company_id)
  const [acme, other] = companies
  const shared = { emails: ['one@x.example', 'info@acme.example'], phone: '+14155550100', tags: ['vip', 'a'] }
  await make(org, 'Ada', { ...shared, company_id: acme })
  await make(org, 'Bob', {
    email: 'INFO@acme.example',
    phones: ['+14155550101', '+14155550100'],
    tags: ['vip'],
    company_id: other,
  })
  await make(org, 'Cy', { email: 'cy@x.example', tags: ['a'], company_id: acme })
  await make(org, 'Di', { tags: ['VIP'] })
  await make(org, 'Ed', { ...shared, company_id: other, last_name: 'Ames' })
  const everybody = ['Ada', 'Bob', 'Cy', 'Di', 'Ed']
  expect(await named(org, {})).toEqual(everybody)
  expect(await named(org, { email: 'Info@Acme.Example' })).toEqual(['Ada', 'Bob', 'Ed'])
  expect(await named(org, { phone: '(415) 555-0100' })).toEqual(['Ada', 'Bob', 'Ed'])
  expect(await named(org, { tag: ' vip ' })).toEqual(['Ada', 'Bob', 'Ed'])
  expect(await named(org, { tag: 'vi' })).toEqual([])
  expect(await named(org, { company_id: acme! })).toEqual(['Ada', 'Cy'])
  expect(await named(org, { company_id: '0190a000-0000-7000-8000-000000000000' })).toEqual([])
  expect(await named(org, { email: 'info@acme.example', tag: 'a' })).toEqual(['Ada', 'Ed'])
  expect(await named(org, { tag: 'a', company_id: acme! })).toEqual(['Ada', 'Cy'])
  expect(
    await named(org, { email: 'info@acme.example', phone: '+14155550100', tag: 'vip', company_id: other! }),
  ).toEqual(['Bob', 'Ed'])
  const all = {
    email: 'info@acme.example',
    phone: '+14155550100',
    tag: 'vip',
    company_id: other!,
    q: 'am',
    updated_since: 0,
  }
  expect(await named(org, all)).toEqual(['Ed'])
  expect(await named(org, { ...all, updated_since: 4_000_000_000 })).toEqual([])
})

test.each([
  ...[
    'contacts?email',
    'contacts?phone',
    'contacts?tag',
    'contacts?q',
    'companies?domain',
    'companies?phone',
  ],
  ...['companies?tag', 'companies?q'],
])('an empty or blank value of /%s is refused', async (filter) => {
  const org = await app.newOrg()
  const detail = [{ type: 'string_too_short', loc: ['query', filter.split('?')[1]], ctx: { min_length: 1 } }]
  for (const blank of ['', '%20', '+%09+']) {
    expect([await org.get(`/${filter}=${blank}`)]).toMatchObject([{ status: 422, body: { detail } }])
  }
})

test('q finds words by their first letters, in any case and with or without accents', async () => {
  const org = await app.newOrg()
  await make(org, 'José', { last_name: 'Müller-Lüdenscheidt', email: 'jm@büro.example' })
  await make(org, 'Jos', { last_name: 'Muller', company_name: "O'Reilly & Söhne" })
  await make(org, 'Ann', { emails: ['first@x.example', 'jose.anders@y.example'], phone: '+14155550100' })
  await make(org, '山田', { last_name: '太郎' })
  const found: [string, string[]][] = [
    ['jose', ['José', 'Ann']],
    ['JOSÉ', ['José', 'Ann']],
    ['jos', ['José', 'Jos', 'Ann']],
    ['mül', ['José', 'Jos']],
    ['muller jos', ['José', 'Jos']],
    ['jos  luden', ['José']],
    ['ose', []],
    ['josef', []],
    ['oreilly', ['Jos']],
    ["o'reilly sohne", ['Jos']],
    ['jose.anders@y.example', ['Ann']],
    ['first@', ['Ann']],
    ['+14155550100', ['Ann']],
    ['1415555', ['Ann']],
    ['415555', []],
    ['山', ['山田']],
    ['jos !!! muller', ['José', 'Jos']],
    ['!!! … ---', []],
    ["' or 1=1 --", []],
    ['\\', []],
    ['jos:*', ['José', 'Jos', 'Ann']],
    ['jos | zzz', []],
    ['%', []],
  ]
  for (const [q, names] of found) expect([q, await named(org, { q })]).toEqual([q, names])
  const tooLong = await org.get(`/contacts?q=${'x'.repeat(201)}`)
  expect([tooLong.status, tooLong.body.detail[0].loc]).toEqual([422, ['query', 'q']])
  const nul = await org.get('/contacts?q=a%00b')
  expect([nul.status, nul.body.detail[0].loc]).toEqual([422, ['query', 'q']])
})

test('q finds a contact by its current name only', async () => {
  const org = await app.newOrg()
  const { contact_id: id } = await make(org, 'Ada', { last_name: 'Byron' })
  await org.patch(`/contacts/${id}`, { last_name: 'Lovelace' })
  expect([await named(org, { q: 'byron' }), await named(org, { q: 'lovelace' })]).toEqual([[], ['Ada']])
})

test('q finds no contact of another organization', async () => {
  const [org, other] = [await app.newOrg(), await app.newOrg()]
  await make(other, 'Secretive')
  expect(await named(org, { q: 'secretive' })).toEqual([])
  expect(await named(other, { q: 'secretive' })).toEqual(['Secretive'])
})

test('updated_since selects contacts that changed at or after that second', async () => {
  const org = await app.newOrg()
  const ids: string[] = []
  for (const name of ['Ada', 'Bob', 'Cy']) ids.push((await make(org, name)).contact_id)
  await app.operate((tx) =>
    tx.run({
      text: `update contact set updated_at = to_timestamp(1700000000.9) where org_id = $1`,
      values: [org.orgId],
    }),
  )
  expect((await org.get(`/contacts/${ids[0]}`)).body.data.updated_at).toBe(1_700_000_000)
  expect(await named(org, { updated_since: 1_700_000_000 })).toEqual(['Ada', 'Bob', 'Cy'])
  expect(await named(org, { updated_since: 1_700_000_001 })).toEqual([])
  await app.operate((tx) =>
    tx.run({
      text: 'update contact set updated_at = to_timestamp(1700000001) where contact_id = $1',
      values: [ids[0]],
    }),
  )
  expect(await named(org, { updated_since: 1_700_000_001 })).toEqual(['Ada'])
  const { data } = (await org.patch(`/contacts/${ids[1]}`, { city: 'Rome' })).body
  expect(await named(org, { updated_since: data.updated_at })).toEqual(['Bob'])
  await org.delete(`/contacts/${ids[2]}`)
  expect(await named(org, { updated_since: data.updated_at, archived: 'true' })).toEqual(['Cy'])
  for (const updated_since of ['yesterday', '-1', '1e99', '2024-01-01']) {
    const { status, body } = await org.get(`/contacts?updated_since=${updated_since}`)
    expect([status, body.detail[0].loc]).toEqual([422, ['query', 'updated_since']])
  }
})

test('archived=true lists archived contacts, even with q, company_id and updated_since', async () => {
  const org = await app.newOrg()
  const { company_id } = (await org.post('/companies', { name: 'Acme' })).body.data
  for (const name of ['Ada', 'Bob', 'Cy', 'Di']) {
    const { contact_id: id } = await make(org, name, {
      email: `${name}@x.example`,
      ...(name > 'B' ? { company_id } : {}),
    })
    if (name !== 'Di') await org.delete(`/contacts/${id}`)
  }
  expect(await named(org, {})).toEqual(['Di'])
  expect(await named(org, { archived: 'false' })).toEqual(['Di'])
  expect(await named(org, { archived: 'true' })).toEqual(['Ada', 'Bob', 'Cy'])
  expect(await named(org, { archived: 'true', q: 'ada' })).toEqual(['Ada'])
  expect(await named(org, { archived: 'true', q: 'di' })).toEqual([])
  expect(await named(org, { archived: 'true', company_id })).toEqual(['Bob', 'Cy'])
  expect(await named(org, { archived: 'true', company_id, q: 'cy', updated_since: 0 })).toEqual(['Cy'])
  for (const filter of ['email=ada@x.example', 'phone=%2B14155550100', 'tag=t']) {
    const { status, body } = await org.get(`/contacts?archived=true&${filter}`)
    expect([status, body.detail[0].loc]).toEqual([422, ['query', filter.split('=')[0]]])
  }
  for (const query of ['archived=all', 'archived=', 'status=archived'])
    expect((await org.get(`/contacts?${query}`)).status).toBe(422)
})

test('one 422 lists all problems of a query', async () => {
  const org = await app.newOrg({ country: null })
  const whole = await org.get('/contacts?limit=0&page=x&company_id=7&updated_since=x&status=gone')
  expect(whole.body.detail.map(({ loc }: { loc: string[] }) => loc[1]).sort()).toEqual([
    ...['company_id', 'limit', 'page', 'status', 'updated_since'],
  ])
  const filters = await org.get('/contacts?email=nobody&phone=12')
  expect(filters.body.detail).toEqual([
    expect.objectContaining({ type: 'value_error', loc: ['query', 'email'] }),
    expect.objectContaining({ type: 'value_error', loc: ['query', 'phone'] }),
  ])
})

test('unknown query parameters get 422: ignoring a filter would list all contacts', async () => {
  const org = await app.newOrg()
  const { body } = await org.get('/contacts?emial=a&colour=red&__proto__=x&constructor=y')
  expect(body.detail.map(({ type, loc, ctx }: Detail) => [type, loc[1], ctx?.nearest])).toEqual([
    ['extra_forbidden', 'emial', 'email'],
    ['extra_forbidden', 'colour', undefined],
    ['extra_forbidden', '__proto__', undefined],
    ['extra_forbidden', 'constructor', undefined],
  ])
})
