import { afterAll, expect, test } from 'vitest'
import { sharedTestApp, type TestOrg } from '../support/app.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

type Page = { data: Event[]; pagination: { page: number; total: number; next_cursor: string | null } }
type Event = {
  event_id: string
  type: string
  object_id: string
  changed: string[] | null
  created_at: number
}

async function listed(org: TestOrg, query = ''): Promise<Event[]> {
  const { status, body } = await org.get(`/events?limit=100&${query}`)
  expect([status, body.pagination?.total]).toEqual([200, body.data?.length])
  return body.data
}

test('each change writes one event, with its API key, type, object and changed fields', async () => {
  const org = await app.newOrg()
  const tester = await app.newKey(org.orgId, { mode: 'test' })
  const { contact_id: id } = (await org.post('/contacts', { first_name: 'Ada' })).body.data
  const path = `/contacts/${id}`
  await tester.patch(path, {
    last_name: 'Lovelace',
    city: 'London',
    consent: { email: 'granted' },
    tags: ['vip'],
  })
  await org.patch(path, { last_name: 'Lovelace' })
  await org.patch(path, { email: 'ada@x.example', custom: { a: 1 }, external_ids: { crm: '1' } })
  await org.delete(path)
  await org.post(`${path}/restore`)
  await org.post(`${path}/erase`)
  const events = (await listed(org, `object_id=${id}`)).reverse()
  const expected: [string, string[] | null][] = [
    ['contact.created', null],
    ['contact.updated', ['city', 'consent', 'last_name', 'tags']],
    ['contact.updated', ['custom', 'email', 'emails', 'external_ids']],
    ['contact.archived', null],
    ['contact.restored', null],
    ['contact.erased', null],
  ]
  expect(events.map(({ type, changed }) => [type, changed?.toSorted() ?? null])).toEqual(expected)
  for (const [at, event] of events.entries()) {
    expect(event).toMatchObject({
      ...{
        event_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        object_id: id,
        data: null,
        created_at: expect.any(Number),
      },
      ...(at === 1
        ? { api_key_id: tester.apiKeyId, mode: 'test' }
        : { api_key_id: org.apiKeyId, mode: 'live' }),
    })
  }
})

test('no event contains the value of a record’s field', async () => {
  const org = await app.newOrg()
  const values = {
    first_name: 'Plantedvalue',
    email: 'plantedvalue@x.example',
    tags: ['plantedvalue'],
    custom: { plantedvalue: 'plantedvalue' },
  }
  const { contact_id: id } = (await org.post('/contacts', { ...values, external_ids: { plantedvalue: '1' } }))
    .body.data
  await org.patch(`/contacts/${id}`, {
    first_name: 'Plantedvalue2',
    external_ids: null,
    custom: { plantedvalue: 2 },
  })
  await org.post('/contacts/upsert', { match_on: 'email', ...values, city: 'plantedvalue' })
  await org.post('/contacts/batch', {
    items: [values, { ...values, match_on: 'email', city: 'plantedvalue2' }],
  })
  const { text } = await org.get('/events?limit=100')
  expect(text.toLowerCase()).not.toContain('plantedvalue')
  expect(text).toContain('first_name')
})

test('events can be filtered by type, by object, by time, and by all three together', async () => {
  const org = await app.newOrg()
  const ids: string[] = []
  for (const first_name of ['Ada', 'Bob'])
    ids.push((await org.post('/contacts', { first_name })).body.data.contact_id)
  const { company_id } = (await org.post('/companies', { name: 'Acme' })).body.data
  for (const id of ids) await org.patch(`/contacts/${id}`, { city: 'Rome' })
  const types = async (query: string) => (await listed(org, query)).map(({ type }) => type)
  expect(await types('type=contact.updated')).toEqual(['contact.updated', 'contact.updated'])
  expect(await types(`object_id=${ids[0]}`)).toEqual(['contact.updated', 'contact.created'])
  expect(await types(`object_id=${company_id}`)).toEqual(['company.created'])
  expect(await types(`object_id=${ids[1]}&type=contact.created&created_since=0`)).toEqual(['contact.created'])
  expect(await types('type=deal.created')).toEqual([])
  expect(await types('object_id=0190a000-0000-7000-8000-000000000000')).toEqual([])
  expect(await types('created_since=4000000000')).toEqual([])
  expect(await types('created_since=253402300799')).toEqual([])
  for (const query of [
    'object_id=7',
    'created_since=yesterday',
    'created_since=-1',
    'type=',
    `type=${'x'.repeat(121)}`,
  ])
    expect([query, (await org.get(`/events?${query}`)).body.detail?.[0].loc]).toEqual([
      query,
      ['query', query.split('=')[0]],
    ])
})

test('a pattern in `type` gets a 422 that says to send it in `types`', async () => {
  const org = await app.newOrg()
  const { status, body } = await org.get('/events?type=import.*')
  expect([status, body.detail[0].msg]).toEqual([
    422,
    '"import.*" is a pattern; send one type, or types=import.*',
  ])
  expect((await org.get('/events?types=import.*')).status).toBe(200)
})

test('`created_since` includes the events of that second', async () => {
  const org = await app.newOrg()
  const { contact_id: id } = (await org.post('/contacts', { first_name: 'Ada' })).body.data
  const [[first]] = [await listed(org)]
  expect((await listed(org, `created_since=${first!.created_at}`)).map(({ event_id }) => event_id)).toContain(
    first!.event_id,
  )
  expect(await listed(org, `created_since=${first!.created_at + 1}&object_id=${id}`)).toEqual([])
  const [row] = await app.operate((tx) =>
    tx.rows<{ exact: boolean }>({
      text: `
        select bool_and(floor(extract(epoch from created_at) * 1000) = ('x' || translate(left(event_id::text, 13), '-', ''))::bit(48)::bigint) as exact
        from event where org_id = $1`,
      values: [org.orgId],
    }),
  )
  expect(row!.exact).toBe(true)
})

test('the list of events has pages by number and by cursor, and a cursor is valid only for its filters', async () => {
  const org = await app.newOrg()
  const items = Array.from({ length: 60 }, (_, n) => ({ first_name: `P${n}` }))
  await org.post('/contacts/batch', { items })
  await org.post('/companies', { name: 'Acme' })
  const all = await listed(org)
  const made = all.filter(({ type }) => type === 'contact.created')
  expect(made).toHaveLength(60)
  expect(all.map(({ event_id }) => event_id)).toEqual(
    all
      .map(({ event_id }) => event_id)
      .toSorted()
      .reverse(),
  )
  for (const [query, events] of [
    ['', all],
    ['&type=contact.created', made],
  ] as const) {
    const seen: Event[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { data, pagination }: Page = (
        await org.get(`/events?limit=17${query}${cursor && `&cursor=${cursor}`}`)
      ).body
      expect((await org.get(`/events?limit=17${query}&page=${pagination.page}`)).body.data).toEqual(data)
      expect(pagination.total).toBe(events.length)
      seen.push(...data)
      cursor = pagination.next_cursor
    }
    expect(seen).toEqual(events)
  }
  const { next_cursor } = (await org.get('/events?limit=1')).body.pagination
  const other = await org.get(`/events?limit=1&type=contact.created&cursor=${next_cursor}`)
  expect([other.status, other.body.detail[0].loc]).toEqual([422, ['query', 'cursor']])
})

test('a batch writes one event for each record, with the type of the record’s outcome', async () => {
  const org = await app.newOrg()
  const items = Array.from({ length: 500 }, (_, n) => ({ email: `p${n}@x.example` }))
  const { data } = (await org.post('/contacts/batch', { items })).body
  const again = items
    .slice(0, 300)
    .map((item, n) => ({ ...item, match_on: 'email', ...(n < 200 ? { city: 'Rome' } : {}) }))
  await org.post('/contacts/batch', { items: [...again, { first_name: '' }] })
  const totals: Record<string, number> = {}
  for (const type of ['contact.created', 'contact.updated']) {
    totals[type] = (await org.get(`/events?type=${type}`)).body.pagination.total
  }
  expect(totals).toEqual({ 'contact.created': 500, 'contact.updated': 200 })
  const [one] = await listed(org, `object_id=${data[7].contact_id}&type=contact.updated`)
  expect(one!.changed).toEqual(['city'])
})

test('a failed change writes no event', async () => {
  const org = await app.newOrg()
  const { contact_id: id } = (await org.post('/contacts', { first_name: 'Ada' })).body.data
  await org.post('/contacts', { first_name: 'Bob', company_id: id })
  await org.patch(`/contacts/${id}`, { first_name: null })
  await org.patch(`/contacts/${id}`, { city: 'Rome' }, { headers: { 'if-match': '"7"' } })
  expect((await listed(org, `created_since=0`))[0]).toMatchObject({ type: 'contact.created', object_id: id })
})

test('an unknown event type gets a 422 that names similar types, not an empty list', async () => {
  const org = await app.newOrg()
  const problem = async (type: string) => {
    const { status, body } = await org.get(`/events?type=${type}`)
    expect([status, body.detail]).toMatchObject([422, [{ type: 'value_error', loc: ['query', 'type'] }]])
    return body.detail[0].msg
  }
  expect(await problem('persona')).toBe(
    'no event has the type "persona"; similar types: persona.created, persona.updated, persona.archived, persona.restored, persona.activated',
  )
  expect(await problem('contact.deleted')).toContain('contact.archived')
  expect(await problem('contcat.created')).toContain('similar types: contact.created')
  expect(await problem('xyz')).toMatch(
    /such as contact\.created; a type begins with contact, company, deal, /,
  )
})
