import { afterAll, expect, test } from 'vitest'
import { sharedTestApp } from '../support/app.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

const nobody = '0190a000-0000-7000-8000-000000000000'

const everything = {
  email: 'Ada@Example.com',
  emails: ['Ada@Example.com', 'countess@lovelace.example'],
  phone: '+14155550100',
  phones: ['+14155550100', '+442079460958'],
  first_name: 'Ada',
  last_name: 'Lovelace',
  company_name: 'Analytical Engines',
  job_title: 'Enchantress of Number',
  linkedin_url: 'https://www.linkedin.com/in/ada',
  city: 'London',
  region: 'England',
  country: 'United Kingdom',
  lifecycle_stage: 'customer',
  consent: { email: 'granted', phone: 'denied' },
  consent_details: {
    email: { kind: 'written', source: 'signup form', at: 1_785_628_800 },
    phone: { kind: 'oral', source: null, at: null },
  },
  tags: ['vip', 'speaker'],
  custom: { score: 9.5, plan: { name: 'gold', seats: [1, 2] } },
  external_ids: { hubspot: '42', salesforce: '003xx' },
  source: 'conference',
}

const cleared = {
  ...{ email: null, emails: [], phone: null, phones: [], phone_raw: null, email_raw: null },
  ...{ first_name: null, last_name: null, company_id: null, company_name: null, job_title: null },
  ...{ linkedin_url: null, city: null, region: null, country: null, lifecycle_stage: null },
  ...{ consent: { email: 'unknown', phone: 'unknown' }, tags: [], custom: {}, external_ids: {} },
  consent_details: { email: null, phone: null },
  ...{ owner_id: null, owner_email: null, claimed_by: null },
}

test('a new contact has every field of the request', async () => {
  const org = await app.newOrg()
  const company = await org.post('/companies', { name: 'Analytical Engines' })
  const sent = { ...everything, company_id: company.body.data.company_id }
  const before = Math.floor(Date.now() / 1000)
  const created = await org.post('/contacts', sent)
  expect(created.status).toBe(201)
  expect(created.headers.get('etag')).toBe('"1"')
  const { data, pagination } = created.body
  expect(pagination).toBeNull()
  expect(data).toEqual({
    ...sent,
    ...{ email_raw: null, phone_raw: null, owner_id: null, owner_email: null, claimed_by: null },
    contact_id: expect.stringMatching(
      /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    ),
    merged_ids: [],
    merged_external_ids: {},
    version: 1,
    created_at: data.updated_at,
    updated_at: expect.any(Number),
    archived_at: null,
  })
  expect(data.created_at).toBeGreaterThanOrEqual(before)
  expect(data.created_at).toBeLessThanOrEqual(Date.now() / 1000)
  const read = await org.get(`/contacts/${data.contact_id}`)
  expect(read.body).toEqual(created.body)
  expect(read.headers.get('etag')).toBe('"1"')
  expect(read.headers.get('content-location')).toBeNull()
  expect((await org.get('/contacts')).body.data).toEqual([data])
})

test('fields that are not sent are empty', async () => {
  const org = await app.newOrg()
  const { body } = await org.post('/contacts', { last_name: 'Lovelace' })
  const { contact_id: _, created_at: __, updated_at: ___, ...rest } = body.data
  const absorbed = { merged_ids: [], merged_external_ids: {} }
  expect(rest).toEqual({
    ...{ ...cleared, ...absorbed, last_name: 'Lovelace' },
    ...{ source: 'api', version: 1, archived_at: null },
  })
})

test('null clears a field and changes no other field', async () => {
  const org = await app.newOrg()
  const company = await org.post('/companies', { name: 'Analytical Engines' })
  const sent = { ...everything, company_id: company.body.data.company_id }
  const { contact_id: id } = (await org.post('/contacts', sent)).body.data
  const expected: Record<string, unknown> = { ...sent }
  for (const field of Object.keys(sent).filter((name) => name !== 'last_name')) {
    const { status, body } = await org.patch(`/contacts/${id}`, { [field]: null })
    expect([field, status]).toEqual([field, 200])
    expected[field] = field in cleared ? cleared[field as keyof typeof cleared] : null
    if (field === 'email') Object.assign(expected, { email: sent.emails[1], emails: [sent.emails[1]] })
    if (field === 'emails') expected.email = null
    if (field === 'phone') Object.assign(expected, { phone: sent.phones[1], phones: [sent.phones[1]] })
    if (field === 'phones') expected.phone = null
    if (field === 'consent') expected.consent_details = cleared.consent_details
    expect(body.data).toMatchObject(expected)
  }
})

test('text is trimmed, and blank text clears a field', async () => {
  const org = await app.newOrg()
  const { body } = await org.post('/contacts', {
    first_name: '  Ada\t',
    last_name: '   ',
    email: ' ada@example.com ',
    city: '',
    tags: [' vip ', 'vip', 'b'],
    external_ids: { hubspot: ' 42 ' },
    source: ' ',
  })
  expect(body.data).toMatchObject({
    ...{ first_name: 'Ada', last_name: null, email: 'ada@example.com', city: null, source: null },
    ...{ tags: ['vip', 'b'], external_ids: { hubspot: '42' } },
  })
  const { contact_id: id } = body.data
  expect((await org.patch(`/contacts/${id}`, { phone: '' })).body.data.phone).toBeNull()
  expect((await org.patch(`/contacts/${id}`, { phones: [''] })).body.detail[0].loc).toEqual([
    'body',
    'phones',
    0,
  ])
})

test('a name keeps invisible format characters and direction marks unchanged', async () => {
  const org = await app.newOrg()
  const names = { first_name: 'A\u202eda\u200d', last_name: 'Lo\ufeffve\u2066lace\u2069' }
  const { status, body } = await org.post('/contacts', names)
  expect(status).toBe(201)
  expect(body.data).toMatchObject(names)
})

test('PATCH changes only the fields that are sent', async () => {
  const org = await app.newOrg()
  const { contact_id: id, ...created } = (await org.post('/contacts', everything)).body.data
  const { status, headers, body } = await org.patch(`/contacts/${id}`, {
    city: 'Paris',
    consent: { phone: 'granted' },
  })
  expect(status).toBe(200)
  expect(headers.get('etag')).toBe('"2"')
  expect(body.data).toEqual({
    ...created,
    contact_id: id,
    city: 'Paris',
    consent: { email: 'granted', phone: 'granted' },
    consent_details: { ...everything.consent_details, phone: null },
    version: 2,
    updated_at: body.data.updated_at,
  })
  expect((await org.get(`/contacts/${id}`)).body.data).toEqual(body.data)
})

test('PATCH without a change creates no version and no event', async () => {
  const org = await app.newOrg()
  const company = await org.post('/companies', { name: 'Analytical Engines' })
  const sent = { ...everything, company_id: company.body.data.company_id }
  const created = await org.post('/contacts', sent)
  const { contact_id: id } = created.body.data
  const nothing = [
    {},
    sent,
    { external_ids: { salesforce: '003xx', hubspot: '42' } },
    { custom: { score: 9.5, plan: { name: 'gold', seats: [1, 2] } } },
    { consent: {} },
    { emails: sent.emails, phone: '+1 (415) 555-0100' },
    { tags: ['vip', 'speaker', 'vip'] },
  ]
  for (const body of nothing) {
    const answer = await org.patch(`/contacts/${id}`, body)
    expect(answer.body).toEqual(created.body)
    expect(answer.headers.get('etag')).toBe('"1"')
  }
  const events = await org.get(`/events?object_id=${id}`)
  expect(events.body.data.map((event: { type: string }) => event.type)).toEqual(['contact.created'])
})

test('a contact has at least a name, an e-mail address, a phone number or an external id', async () => {
  const org = await app.newOrg()
  const enough = [
    { first_name: 'Ada' },
    { last_name: 'Lovelace' },
    { email: 'ada@example.com' },
    { emails: ['ada@example.com'] },
    { phone: '+14155550100' },
    { phones: ['+14155550100'] },
    { external_ids: { hubspot: '42' } },
  ]
  for (const body of enough) {
    const created = await org.post('/contacts', body)
    expect(created.status).toBe(201)
    const path = `/contacts/${created.body.data.contact_id}`
    const [field] = Object.keys(body)
    const removed = await org.patch(path, { [field!]: null })
    expect([removed.status, removed.body.detail[0].loc]).toEqual([422, ['body']])
    expect((await org.get(path)).body).toEqual(created.body)
    expect((await org.patch(path, { [field!]: null, first_name: 'Grace' })).status).toBe(200)
  }
  const tooLittle = [
    {},
    { company_name: 'Acme', tags: ['a'] },
    { first_name: ' ' },
    { emails: [], phones: [] },
  ]
  for (const body of tooLittle) {
    const { status, body: answer } = await org.post('/contacts', body)
    expect(status).toBe(422)
    expect(answer.detail).toEqual([
      expect.objectContaining({
        type: 'value_error',
        loc: ['body'],
        msg: expect.stringMatching(/at least one of/),
      }),
    ])
  }
})

test('one 422 lists all problems of a body with their paths', async () => {
  const org = await app.newOrg()
  const { status, body } = await org.post('/contacts', {
    email: 'nobody',
    emails: ['a@b.example', 'also nobody'],
    first_name: 7,
    last_name: 'x'.repeat(201),
    company_id: 'seven',
    lifecycle_stage: 'fan',
    consent: { email: 'maybe' },
    tags: ['', 'x'.repeat(101)],
    custom: [],
    external_ids: { hubspot: 42 },
  })
  expect(status).toBe(422)
  expect(body.detail.map(({ type, loc }: { type: string; loc: unknown[] }) => [type, ...loc])).toEqual([
    ['value_error', 'body', 'email'],
    ['value_error', 'body', 'emails', 1],
    ['string_type', 'body', 'first_name'],
    ['string_too_long', 'body', 'last_name'],
    ['uuid_parsing', 'body', 'company_id'],
    ['literal_error', 'body', 'lifecycle_stage'],
    ['literal_error', 'body', 'consent', 'email'],
    ['string_too_short', 'body', 'tags', 0],
    ['string_too_long', 'body', 'tags', 1],
    ['dict_type', 'body', 'custom'],
    ['string_type', 'body', 'external_ids', 'hubspot'],
  ])
})

test("a malformed id gets 422; an unknown id and another organization's id get the same 404", async () => {
  const [org, other] = [await app.newOrg(), await app.newOrg({ name: 'Other' })]
  const { contact_id: id } = (await other.post('/contacts', { first_name: 'Ada' })).body.data
  const answers = (path: string) =>
    Promise.all([
      org.get(path),
      org.patch(path, { city: 'Rome' }),
      org.delete(path),
      org.post(`${path}/restore`),
      org.post(`${path}/erase`),
    ])
  for (const { status, body } of await answers('/contacts/seven')) {
    expect(status).toBe(422)
    expect(body.detail[0]).toMatchObject({ type: 'uuid_parsing', loc: ['path', 'contact_id'] })
  }
  const unknown = await answers(`/contacts/${nobody}`)
  for (const [at, { status, text }] of (await answers(`/contacts/${id}`)).entries()) {
    expect([status, text]).toEqual([404, unknown[at]!.text])
  }
  expect((await other.get(`/contacts/${id.toUpperCase()}`)).body.data.version).toBe(1)
})

test('consent_details.at is at most 1 day in the future', async () => {
  const org = await app.newOrg()
  const now = Math.floor(Date.now() / 1000)
  const make = (at: number) =>
    org.post('/contacts', {
      ...{ first_name: 'Ada', consent: { phone: 'granted' } },
      consent_details: { phone: { kind: 'oral', at } },
    })
  expect((await make(now + 86_000)).status).toBe(201)
  for (const at of [now + 87_000, 253_402_300_799]) {
    const { status, body } = await make(at)
    expect([status, body.detail]).toMatchObject([
      422,
      [{ loc: ['body', 'consent_details', 'phone', 'at'], msg: expect.stringContaining('1 day') }],
    ])
  }
})
