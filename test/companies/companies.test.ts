import { afterAll, expect, test } from 'vitest'
import { sharedTestApp, type TestOrg } from '../support/app.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

const everything = {
  name: 'Acme',
  domain: 'acme.example',
  domains: ['acme.example', 'acme.test'],
  phone: '+14155550100',
  website: 'https://www.acme.example/about',
  linkedin_url: 'https://www.linkedin.com/company/acme',
  industry: 'Manufacturing',
  employee_count: 250,
  city: 'London',
  region: 'England',
  country: 'United Kingdom',
  tags: ['customer'],
  custom: { tier: 1 },
  external_ids: { hubspot: '42' },
  source: 'conference',
}

const found = async (org: TestOrg, query: Record<string, string>) => {
  const { status, body } = await org.get(`/companies?${new URLSearchParams(query)}`)
  expect([status, body.pagination?.total]).toEqual([200, body.data?.length])
  return body.data.map(({ name }: { name: string }) => name).reverse()
}

test('a new company has every field of the request, and null clears each field', async () => {
  const org = await app.newOrg()
  const created = await org.post('/companies', everything)
  expect([created.status, created.headers.get('etag')]).toEqual([201, '"1"'])
  const { data } = created.body
  expect(data).toEqual({
    ...everything,
    ...{ company_id: expect.any(String), phone_raw: null, version: 1, archived_at: null },
    ...{ owner_id: null, owner_email: null, merged_ids: [], merged_external_ids: {} },
    ...{ created_at: expect.any(Number), updated_at: data.created_at },
  })
  const path = `/companies/${data.company_id}`
  expect((await org.get(path)).body).toEqual(created.body)
  expect((await org.patch(path, everything)).body).toEqual(created.body)
  const empty: Record<string, unknown> = { domains: [], tags: [], custom: {}, external_ids: {} }
  const expected: Record<string, unknown> = { ...everything }
  for (const field of Object.keys(everything).filter((name) => name !== 'name')) {
    expected[field] = empty[field] ?? null
    if (field === 'domain') Object.assign(expected, { domain: 'acme.test', domains: ['acme.test'] })
    if (field === 'domains') expected.domain = null
    expect((await org.patch(path, { [field]: null })).body.data).toMatchObject(expected)
  }
  const last = await org.patch(path, { name: null })
  expect([last.status, last.body.detail[0].loc]).toEqual([422, ['body']])
  expect((await org.delete(path)).body.data.archived_at).toEqual(expect.any(Number))
  expect((await org.patch(path, { name: 'B' })).status).toBe(409)
  expect((await org.post(`${path}/restore`)).body.data.archived_at).toBeNull()
})

test('a company has at least a name, a domain, a phone number or an external id', async () => {
  const org = await app.newOrg()
  for (const body of [
    { name: 'A' },
    { domain: 'a.example' },
    { domains: ['a.example'] },
    { phone: '+14155550100' },
    { external_ids: { crm: '1' } },
    { website: 'https://b.example' },
  ])
    expect((await org.post('/companies', body)).status).toBe(201)
  for (const body of [
    {},
    { name: ' ' },
    { website: 'https://www.facebook.com/a', industry: 'x', employee_count: 1 },
  ]) {
    const { status, body: answer } = await org.post('/companies', body)
    expect([status, answer.detail[0].type, answer.detail[0].loc]).toEqual([422, 'value_error', ['body']])
  }
})

test('a website sets the domain of a company without a domain, and never replaces a domain', async () => {
  const org = await app.newOrg()
  const create = async (fields: object) => (await org.post('/companies', { name: 'A', ...fields })).body.data
  const website = 'https://www.acme.example/about'
  const derived = await create({ website })
  expect(derived).toMatchObject({ website, domain: 'acme.example', domains: ['acme.example'] })
  expect(await found(org, { domain: 'acme.example' })).toEqual(['A'])
  expect(await create({ website, domain: 'other.example' })).toMatchObject({ domains: ['other.example'] })
  expect(await create({ website, domain: null })).toMatchObject({ domain: null })
  expect(await create({ website: 'https://www.linkedin.com/company/acme' })).toMatchObject({ domain: null })
  expect(await create({ website: 'to follow' })).toMatchObject({ website: 'to follow', domain: null })
  const { company_id: id } = await create({})
  const change = async (fields: object) => (await org.patch(`/companies/${id}`, fields)).body.data
  expect(await change({ website })).toMatchObject({ domain: 'acme.example' })
  expect(await change({ website: 'b.example' })).toMatchObject({ domain: 'acme.example' })
  expect(await change({ domain: null })).toMatchObject({ website: 'b.example', domain: null })
  expect(await change({ industry: 'x' })).toMatchObject({ domain: null })
})

test('an invalid field gets 422 with its path', async () => {
  const org = await app.newOrg()
  const { body } = await org.post('/companies', {
    ...{ name: 'x'.repeat(301), domain: 'localhost', domains: ['acme.example', '10.0.0.1'], phone: '+12' },
    ...{ website: 7, employee_count: -1, tags: 'vip', custom: 'x' },
  })
  expect(body.detail.map(({ loc }: { loc: unknown[] }) => loc.slice(1).join('.'))).toEqual([
    ...['name', 'domain', 'domains.1', 'phone', 'website', 'employee_count', 'tags', 'custom'],
  ])
  for (const employee_count of [1.5, 'many', 1e12, true])
    expect(
      (await org.post('/companies', { name: 'A', employee_count })).body.detail?.[0].loc ?? employee_count,
    ).toEqual(employee_count === true ? true : ['body', 'employee_count'])
})

test('domains are stored as hosts, and found in any form', async () => {
  const org = await app.newOrg()
  const { data } = (
    await org.post('/companies', {
      name: 'Acme',
      domain: 'https://WWW.Acme.example/x',
      domains: ['büro.example', 'acme.example'],
    })
  ).body
  expect([data.domain, data.domains]).toEqual(['acme.example', ['acme.example', 'xn--bro-hoa.example']])
  for (const domain of ['acme.example', 'WWW.ACME.EXAMPLE.', 'http://acme.example/path?x=1', 'BÜRO.example'])
    expect(await found(org, { domain })).toEqual(['Acme'])
  expect(await found(org, { domain: 'sub.acme.example' })).toEqual([])
  const bad = await org.get('/companies?domain=localhost')
  expect([bad.status, bad.body.detail[0].loc]).toEqual([422, ['query', 'domain']])
  const path = `/companies/${data.company_id}`
  const changed = await org.patch(path, { domain: 'www.büro.example' })
  expect(changed.body.data.domains).toEqual(['xn--bro-hoa.example', 'acme.example'])
  await org.patch(path, { domains: ['other.example'] })
  expect([
    await found(org, { domain: 'acme.example' }),
    await found(org, { domain: 'other.example' }),
  ]).toEqual([[], ['Acme']])
})

test('each filter selects companies, and several filters combine', async () => {
  const org = await app.newOrg()
  const make = (name: string, fields: object = {}) => org.post('/companies', { name, ...fields })
  const shared = { domains: ['a.example', 'group.example'], phone: '+14155550100', tags: ['t'] }
  await make('Société Générale', shared)
  await make('Acme Group', { domain: 'group.example', tags: ['t', 'u'] })
  const { company_id } = (await make('Old Acme', shared)).body.data
  await make('Zeta')
  await org.delete(`/companies/${company_id}`)
  expect(await found(org, { domain: 'group.example' })).toEqual(['Société Générale', 'Acme Group'])
  expect(await found(org, { domain: 'group.example', tag: 'u' })).toEqual(['Acme Group'])
  expect(await found(org, { phone: '415 555 0100' })).toEqual(['Société Générale'])
  expect(await found(org, { tag: 't' })).toEqual(['Société Générale', 'Acme Group'])
  expect(await found(org, { q: 'gener soci' })).toEqual(['Société Générale'])
  expect(await found(org, { q: 'group.ex' })).toEqual(['Société Générale', 'Acme Group'])
  expect(await found(org, { q: 'acme', archived: 'true' })).toEqual(['Old Acme'])
  expect(await found(org, { updated_since: '0', tag: 't', domain: 'a.example', q: 'soc' })).toEqual([
    'Société Générale',
  ])
  expect(await found(org, {})).toEqual(['Société Générale', 'Acme Group', 'Zeta'])
  const first = (await org.get('/companies?limit=2')).body
  const rest = (await org.get(`/companies?limit=2&cursor=${first.pagination.next_cursor}`)).body
  expect([first.data.length, rest.data.length, rest.pagination]).toMatchObject([
    2,
    1,
    { page: 2, total: 3, has_next: false },
  ])
})

test('an upsert matches by domain, phone and external id, and twenty concurrent upserts create one company', async () => {
  const org = await app.newOrg()
  const upsert = (body: object) => org.post('/companies/upsert', body)
  const { data } = (
    await upsert({
      match_on: 'domain',
      domain: 'acme.example',
      phone: '+14155550100',
      external_ids: { crm: '1' },
    })
  ).body
  expect(data.outcome).toBe('created')
  const byPhone = await upsert({ match_on: 'phone', phone: '(415) 555-0100', domain: 'acme.test' })
  expect(byPhone.body.data).toMatchObject({
    outcome: 'updated',
    company_id: data.company_id,
    domains: ['acme.example', 'acme.test'],
  })
  const byId = await upsert({ match_on: 'external_id', external_ids: { crm: '1' }, name: 'Acme' })
  expect(byId.body.data).toMatchObject({ outcome: 'updated', name: 'Acme', version: 3 })
  await org.post('/companies', { domain: 'acme.test' })
  const two = await upsert({ match_on: 'domain', domain: 'https://acme.test/' })
  expect([two.status, two.body.detail]).toEqual([409, expect.stringContaining(data.company_id)])
  const none = await upsert({ match_on: 'domain', name: 'Acme' })
  expect([none.status, none.body.detail[0].loc]).toEqual([422, ['body', 'match_on']])
  const many = await Promise.all(
    Array.from({ length: 20 }, () => upsert({ match_on: 'domain', domain: 'many.example' })),
  )
  expect(many.map(({ body }) => body.data.outcome).sort()).toEqual(['created', ...Array(19).fill('updated')])
  expect(await found(org, { domain: 'many.example' })).toHaveLength(1)
})

test('each outcome of a batch has its company_id', async () => {
  const org = await app.newOrg()
  const { body } = await org.post('/companies/batch', {
    items: [
      { name: 'A', domain: 'a.example' },
      { match_on: 'domain', domain: 'www.a.example', industry: 'x' },
      { domain: 'x' },
      7,
    ],
  })
  const company_id = body.data[0].company_id
  expect(body.data).toEqual([
    { index: 0, outcome: 'created', company_id, version: 1 },
    { index: 1, outcome: 'updated', company_id, version: 2 },
    {
      index: 2,
      outcome: 'failed',
      code: 'validation_failed',
      detail: [expect.objectContaining({ loc: ['domain'] })],
    },
    {
      index: 3,
      outcome: 'failed',
      code: 'validation_failed',
      detail: [expect.objectContaining({ type: 'model_attributes_type', loc: [] })],
    },
  ])
})
