import { afterAll, expect, test } from 'vitest'
import { sharedTestApp, type TestOrg } from '../support/app.ts'
import { merge } from '../support/merges.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

const companiesOf = async (org: TestOrg) => (await org.get('/companies?sort=name')).body.data
const total = async (org: TestOrg, path: string) => (await org.get(path)).body.pagination.total

test('POST /contacts with company_domain sets the company with that domain, and creates the company if necessary', async () => {
  const org = await app.newOrg()
  const { data: acme } = (
    await org.post('/companies', { name: 'Acme', domains: ['a.example', 'acme.example'] })
  ).body
  const found = await org.post('/contacts', {
    email: 'a@acme.example',
    company_domain: 'https://www.ACME.example/x',
  })
  expect([found.status, found.body.data]).toEqual([
    201,
    expect.objectContaining({ company_id: acme.company_id, company_name: null }),
  ])
  expect(found.body.data).not.toHaveProperty('company_domain')
  const made = await org.post('/contacts', {
    email: 'b@new.example',
    company_domain: 'new.example',
    company_name: 'New Ltd',
  })
  const [, company] = await companiesOf(org)
  expect(company).toMatchObject({ name: 'New Ltd', domain: 'new.example', source: 'api', version: 1 })
  expect(made.body.data).toMatchObject({ company_id: company.company_id, company_name: 'New Ltd' })
  const events = (await org.get('/events?limit=2')).body.data
  expect(events.map((event: { type: string; object_id: string }) => [event.type, event.object_id])).toEqual(
    expect.arrayContaining([
      ['company.created', company.company_id],
      ['contact.created', made.body.data.contact_id],
    ]),
  )
})

test('a contact gets no company if company_domain is null, missing, or a host that many companies share', async () => {
  const org = await app.newOrg()
  for (const company_domain of ['gmail.com', 'https://www.facebook.com/acme', null]) {
    const { status, body } = await org.post('/contacts', { first_name: 'Ada', company_domain })
    expect([status, body.data.company_id]).toEqual([201, null])
  }
  expect(await total(org, '/companies')).toBe(0)
})

test('an upsert with company_domain sets the company of a new and of an existing contact', async () => {
  const org = await app.newOrg()
  const sent = { match_on: 'email', email: 'a@new.example', company_domain: 'new.example' }
  const created = (await org.post('/contacts/upsert', sent)).body.data
  expect(created).toMatchObject({ outcome: 'created', version: 1 })
  expect((await org.post('/contacts/upsert', sent)).body.data).toEqual({ ...created, outcome: 'updated' })
  const moved = await org.post('/contacts/upsert', { ...sent, company_domain: 'other.example' })
  expect(moved.body.data).toMatchObject({ outcome: 'updated', version: 2 })
  expect(moved.body.data.company_id).not.toBe(created.company_id)
  expect(await total(org, '/companies')).toBe(2)
})

test('items of a batch with the same new company_domain create one company, and an invalid item creates none', async () => {
  const org = await app.newOrg()
  const { data: first } = (await org.post('/contacts', { email: 'known@x.example' })).body
  const { body } = await org.post('/contacts/batch', {
    return: 'record',
    items: [
      { email: 'a@new.example', company_domain: 'new.example' },
      { match_on: 'email', email: 'known@x.example', company_domain: 'NEW.example', company_name: 'New' },
      { company_domain: 'orphan.example' },
      { email: 'c@x.example', company_domain: 'no domain' },
      { contact_id: first.contact_id, company_domain: 'change.example' },
    ],
  })
  expect(body.data).toMatchObject([
    { outcome: 'created' },
    { outcome: 'updated', contact_id: first.contact_id },
    { outcome: 'failed', code: 'identity_missing' },
    { outcome: 'failed', detail: [{ loc: ['company_domain'] }] },
    { outcome: 'failed', detail: [{ type: 'extra_forbidden', loc: ['company_domain'] }] },
  ])
  const companies = await companiesOf(org)
  expect(companies).toMatchObject([{ domain: 'new.example', name: 'New' }])
  expect(body.data[0].record.company_id).toBe(companies[0].company_id)
  expect(body.data[1].record.company_id).toBe(companies[0].company_id)
})

test('concurrent POST /contacts with the same new company_domain create one company, and a retry creates none', async () => {
  const org = await app.newOrg()
  const create = (n: number) =>
    org.post(
      '/contacts',
      { email: `p${n}@new.example`, company_domain: 'new.example' },
      { headers: { 'idempotency-key': `create ${n}` } },
    )
  const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => create(n)))
  expect(new Set(answers.map(({ body }) => body.data.company_id)).size).toBe(1)
  expect((await create(3)).text).toBe(answers[3]?.text)
  expect([await total(org, '/companies'), await total(org, '/contacts')]).toEqual([1, 8])
})

test('a request with company_domain gets 422 if it also has company_id, or if it is a PATCH', async () => {
  const org = await app.newOrg()
  const { company_id } = (await org.post('/companies', { domain: 'acme.example' })).body.data
  const both = { email: 'a@x.example', company_id, company_domain: 'acme.example' }
  for (const [path, body] of [
    ['/contacts', both],
    ['/contacts/upsert', { match_on: 'email', ...both }],
  ] as const) {
    const answer = await org.post(path, body)
    expect([answer.status, answer.body.detail]).toMatchObject([422, [{ loc: ['body', 'company_domain'] }]])
  }
  const { contact_id } = (await org.post('/contacts', { email: 'a@x.example', company_id })).body.data
  const change = await org.patch(`/contacts/${contact_id}`, { company_domain: 'acme.example' })
  expect([change.status, change.body.detail[0].type]).toEqual([422, 'extra_forbidden'])
  expect((await org.post('/companies', { name: 'X', company_domain: 'x.example' })).status).toBe(422)
})

test('company_domain requires companies:write, even if the company exists', async () => {
  const org = await app.newOrg()
  await org.post('/companies', { domain: 'acme.example' })
  const writer = await app.newKey(org.orgId, { permissions: ['contacts:write', 'companies:read'] })
  const contact = { email: 'a@x.example', company_domain: 'acme.example' }
  for (const [path, body] of [
    ['/contacts', contact],
    ['/contacts/upsert', { match_on: 'email', ...contact }],
    ['/contacts/batch', { items: [{ email: 'b@x.example' }, contact] }],
  ] as const) {
    const answer = await writer.post(path, body)
    expect([answer.status, answer.body.code]).toEqual([403, 'permission_missing'])
    expect(answer.body.detail).toContain('companies:write')
  }
  expect(await total(org, '/contacts')).toBe(0)
  expect((await writer.post('/contacts', { email: 'a@x.example' })).status).toBe(201)
})

test('undoing a merge of contacts restores for each contact the company of its own company_domain', async () => {
  const org = await app.newOrg()
  const people = await Promise.all(
    ['one', 'two'].map(async (name) => {
      const sent = { email: `${name}@x.example`, company_domain: `${name}.example` }
      return (await org.post('/contacts', sent)).body.data
    }),
  )
  const [survivor, absorbed] = people
  const [merged] = await merge(org, 'contact', survivor.contact_id, absorbed.contact_id)
  const undone = await org.post(`/duplicates/undo-merge/${merged?.merge_id}`)
  expect(undone.status).toBe(200)
  for (const { contact_id, company_id } of people) {
    expect((await org.get(`/contacts/${contact_id}`)).body.data.company_id).toBe(company_id)
  }
})
