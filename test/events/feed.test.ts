import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { eventCatalog } from '../../src/events/catalog.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { type Answer, sharedTestApp, type TestOrg } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { type Waiting, whileLocked } from '../support/locked-table.ts'
import { merge } from '../support/merges.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

type Message = {
  event_id: string
  type: string
  org_id: string
  mode: string
  changed: string[] | null
  timestamp: string
  created_at: number
  data: {
    object_type: string
    object_id: string
    object?: Record<string, unknown> | null
    merged_into?: string
  }
}
type Feed = { events: Message[]; cursor: string; has_more: boolean }

async function feed(org: TestOrg, query: Record<string, string | number> = {}): Promise<Feed> {
  const { status, body } = await org.get(
    `/events/feed?${new URLSearchParams(query as Record<string, string>)}`,
  )
  expect([status, body.detail]).toEqual([200, undefined])
  return body.data
}

const newContact = async (org: TestOrg, body: object) =>
  (await org.post('/contacts', body)).body.data as { contact_id: string; version: number }

/** A random UUIDv7 of the current time. */
const uuidAtNow = sql`(lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0') || '7'
  || substr(md5(random()::text), 1, 3) || '8' || substr(md5(random()::text), 1, 15))::uuid`

const typesIn = ({ events }: Feed) => events.map(({ type }) => type)

function requireRefusal(answer: Response): Response {
  if (answer.status !== 429) throw new Error(`answered ${answer.status}`)
  return answer
}

describe('GET /events/feed', () => {
  test('the feed begins now, and returns each later event once, oldest first', async () => {
    const org = await app.newOrg()
    await newContact(org, { first_name: 'Before' })
    const start = await feed(org)
    expect([start.events, start.has_more]).toEqual([[], false])
    const { contact_id: id } = await newContact(org, { first_name: 'Ada' })
    await org.patch(`/contacts/${id}`, { city: 'London' })
    await org.delete(`/contacts/${id}`)
    const first = await feed(org, { cursor: start.cursor, limit: 2 })
    expect([typesIn(first), first.has_more]).toEqual([['contact.created', 'contact.updated'], true])
    const second = await feed(org, { cursor: first.cursor, limit: 2 })
    expect([typesIn(second), second.has_more]).toEqual([['contact.archived'], false])
    expect((await feed(org, { cursor: second.cursor })).events).toEqual([])
    expect((await feed(org, { cursor: start.cursor, limit: 2 })).events).toEqual(first.events)
    const [event] = second.events
    expect(event).toEqual({
      ...{ type: 'contact.archived', event_id: event?.event_id, org_id: org.orgId, mode: 'live' },
      ...{ api_key_id: org.apiKeyId, changed: null, created_at: event?.created_at },
      actor: { kind: 'api_key', id: org.apiKeyId, name: expect.any(String) },
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      data: { object_type: 'contact', object_id: id, details: {} },
    })
  })

  test('the feed can begin at a time, and filters by types and patterns', async () => {
    const org = await app.newOrg()
    const since = Math.floor(Date.now() / 1000)
    const { contact_id: id } = await newContact(org, { first_name: 'Ada' })
    await org.patch(`/contacts/${id}`, { city: 'London' })
    await org.post('/deals', { name: 'Engine' })
    expect(typesIn(await feed(org, { since, types: 'contact.*' }))).toEqual([
      'contact.created',
      'contact.updated',
    ])
    expect(typesIn(await feed(org, { since, types: 'contact.updated,deal.created' }))).toEqual([
      'contact.updated',
      'deal.created',
    ])
    expect(typesIn(await feed(org, { since, types: '*' }))).toContain('deal.created')
    expect((await feed(org, { since: since + 3600 })).events).toEqual([])
  })

  test('with include=object, the feed shows each object as a GET shows it now', async () => {
    const org = await app.newOrg()
    const { cursor } = await feed(org)
    const [kept, merged, erased] = [
      await newContact(org, { first_name: 'Ada', email: 'ada@x.example' }),
      await newContact(org, { first_name: 'Ada L.' }),
      await newContact(org, { first_name: 'Gone', email: 'gone@x.example' }),
    ]
    await org.post('/personas', { name: 'Robin', role: 'Sales', language: 'en' })
    await merge(org, 'contact', kept.contact_id, merged.contact_id)
    await org.post(`/contacts/${erased.contact_id}/erase`)
    const { events } = await feed(org, { cursor, include: 'object', types: 'contact.*' })
    const shown = (id: string) => events.find(({ data }) => data.object_id === id)?.data
    const { data: now } = (await org.get(`/contacts/${kept.contact_id}`)).body
    expect(shown(kept.contact_id)?.object).toEqual(now)
    expect(shown(merged.contact_id)).toMatchObject({ object: null, merged_into: kept.contact_id })
    expect(shown(erased.contact_id)).toMatchObject({ object: null })
    expect(JSON.stringify(events)).not.toContain('gone@x.example')
    expect(typesIn(await feed(org, { cursor, types: 'contact.*' }))).toContain('contact.erased')
  })

  test('the feed shows null for an object that the API key may not read', async () => {
    const org = await app.newOrg()
    const reader = await app.newKey(org.orgId, { permissions: ['events:read', 'deals:read'] })
    const { cursor } = await feed(reader)
    await newContact(org, { first_name: 'Ada' })
    await org.post('/deals', { name: 'Engine' })
    const { events } = await feed(reader, { cursor, include: 'object' })
    expect(events.map(({ data }) => data.object?.name ?? null)).toEqual([null, 'Engine'])
  })

  test('a request to the feed waits for the first event, and is answered as soon as that event commits', async () => {
    const org = await app.newOrg()
    const { cursor } = await feed(org)
    const waiting = feed(org, { cursor, wait_seconds: 25 })
    await delay(50)
    const began = performance.now()
    await newContact(org, { first_name: 'Ada' })
    expect(typesIn(await waiting)).toEqual(['contact.created'])
    expect(performance.now() - began).toBeLessThan(5_000)
  })

  test('without an event, the feed answers with a new cursor after the wait', async () => {
    const org = await app.newOrg()
    const { cursor } = await feed(org)
    const { events, cursor: next } = await feed(org, { cursor, wait_seconds: 1 })
    expect(events).toEqual([])
    await newContact(org, { first_name: 'Ada' })
    expect(typesIn(await feed(org, { cursor: next }))).toEqual(['contact.created'])
  })

  test('ten requests of an organization can wait at the feed, and a disconnect frees one of the places', async () => {
    const org = await app.newOrg()
    const { cursor } = await feed(org)
    const gone = new AbortController()
    const wait = (signal: AbortSignal) =>
      fetch(`${app.address}/api/v1/events/feed?wait_seconds=25&cursor=${cursor}`, {
        headers: { authorization: `Bearer ${org.token}` },
        signal,
      })
    const waiting = Array.from({ length: 11 }, () => wait(gone.signal))
    const refused = await Promise.any(waiting.map(async (each) => requireRefusal(await each)))
    expect(await refused.json()).toMatchObject({ code: 'wait_limit_reached' })
    expect((await org.get(`/events/feed?cursor=${cursor}`)).status).toBe(200)
    gone.abort()
    await Promise.allSettled(waiting)
    const late = async () => (await wait(AbortSignal.timeout(100)).catch(() => null))?.status ?? 200
    await eventually(async () => expect(await late()).toBe(200))
  })

  test('ten requests of an agency can wait at the feed, for any number of its clients', async () => {
    const agency = await app.newAgency()
    const clients = await Promise.all(
      Array.from({ length: 11 }, () => agency.post('/agency/clients', { name: 'Client' })),
    )
    const gone = new AbortController()
    const waiting = clients.map(({ body }) =>
      fetch(`${app.address}/api/v1/events/feed?wait_seconds=25`, {
        headers: { authorization: `Bearer ${agency.token}`, 'x-target-org-id': body.data.org_id },
        signal: gone.signal,
      }),
    )
    const refused = await Promise.any(waiting.map(async (each) => requireRefusal(await each)))
    expect(await refused.json()).toMatchObject({ code: 'wait_limit_reached' })
    gone.abort()
    await Promise.allSettled(waiting)
  })

  test('an answer of the feed ends after 4 MiB, and the next one continues there', async () => {
    const org = await app.newOrg()
    const { cursor } = await feed(org)
    const custom = { note: 'x'.repeat(60_000) }
    const items = Array.from({ length: 15 }, () => ({ first_name: 'Ada', custom }))
    for (let batch = 0; batch < 6; batch++) await org.post('/contacts/batch', { items })
    const query = { include: 'object', types: 'contact.*', limit: 200 }
    const all = await feed(org, { cursor, types: 'contact.*', limit: 200 })
    const first = await feed(org, { ...query, cursor })
    expect(JSON.stringify(first).length).toBeLessThan(4.2 * 1024 * 1024)
    expect(first.has_more).toBe(true)
    const second = await feed(org, { ...query, cursor: first.cursor })
    expect(second.has_more).toBe(false)
    const ids = ({ events }: Feed) => events.map((event) => event.event_id)
    expect([...ids(first), ...ids(second)]).toEqual(ids(all))
    expect(all.events).toHaveLength(90)
    expect(second.events.every(({ data }) => data.object?.first_name === 'Ada')).toBe(true)
  })

  test('an answer of the feed ends after 25,000 events of other types, and the next one continues there', async () => {
    const org = await app.newOrg()
    const { cursor } = await feed(org)
    await app.operate((tx) =>
      tx.run(sql`
        insert into event (org_id, event_id, type, mode, created_at)
        select ${org.orgId}, ${uuidAtNow}, 'contact.updated', 'live', now() from generate_series(1, 26000)`),
    )
    await org.post('/deals', { name: 'Engine' })
    const query = { types: 'deal.created', wait_seconds: 5 }
    const first = await feed(org, { ...query, cursor })
    expect([first.events, first.has_more]).toEqual([[], true])
    const second = await feed(org, { ...query, cursor: first.cursor })
    expect([typesIn(second), second.has_more]).toEqual([['deal.created'], false])
  })

  test.each([
    ['reads of the feed', (cursor: string) => `/events/feed?cursor=${cursor}`, 'select min(event_id'],
    ['lists of events with a filter', () => '/events?type=contact.created', 'count(*) from event e'],
  ])(
    'while others are served, one of the %s of an organization runs at a time',
    async (_what, path, statement) => {
      const [org, other] = [await app.newOrg(), await app.newOrg()]
      const { cursor } = await feed(org)
      // Write an event first: without a new commit, a read would not touch the table.
      await newContact(org, { first_name: 'Ada' })
      await other.get('/contacts')
      let reads: Promise<Answer>[] = []
      const whileReadsWait = async (waiting: Waiting) => {
        reads = Array.from({ length: 12 }, () => org.get(path(cursor)))
        await waiting.until(1)
        // A second read would begin during these requests. A lock wait ends after 10 s, so they must be few, even on a
        // busy machine.
        for (let index = 0; index < 3; index++) await other.get('/contacts')
        expect(await waiting.count()).toBe(1)
      }
      await whileLocked(app, 'event', whileReadsWait, statement)
      expect((await Promise.all(reads)).map(({ status }) => status)).toEqual(Array(12).fill(200))
    },
  )

  test('the feed never shows events of another organization, and refuses its cursor', async () => {
    const [org, other] = [await app.newOrg(), await app.newOrg()]
    const { cursor } = await feed(org)
    await newContact(other, { first_name: 'Ada' })
    expect((await feed(org, { cursor })).events).toEqual([])
    const { status, body } = await other.get(`/events/feed?cursor=${cursor}`)
    expect([status, body.detail[0].loc]).toEqual([422, ['query', 'cursor']])
  })

  const invalid: [string, string, RegExp][] = [
    ['types=contact.creatd', 'types', /similar types: contact\.created/],
    ['types=contact.created,contacts.*', 'types', /type "contacts\.\*"; similar types: contact\.\*/],
    ['types=', 'types', /at least one type/],
    ['limit=201', 'limit', /200/],
    ['wait_seconds=26', 'wait_seconds', /25/],
    ['include=objects', 'include', /object/],
    ['cursor=abc', 'cursor', /does not belong/],
    ['since=yesterday', 'since', /./],
    ['after=abc', 'after', /./],
  ]
  test.each(invalid)('the feed refuses %s, and names the parameter', async (query, name, says) => {
    const org = await app.newOrg()
    const { status, body } = await org.get(`/events/feed?${query}`)
    expect([status, body.detail[0].loc]).toEqual([422, ['query', name]])
    expect(body.detail[0].msg).toMatch(says)
  })

  test('the feed needs the permission events:read', async () => {
    const org = await app.newOrg()
    const key = await app.newKey(org.orgId, { permissions: ['contacts:read'] })
    expect((await key.get('/events/feed')).status).toBe(403)
  })
})

test('every object of the catalog has a reader, except numbers and invitations', async () => {
  const org = await app.newOrg()
  const { readObjects } = app.app.context
  const objects = new Set(eventCatalog.map(({ object }) => object))
  for (const object of objects)
    await expect(
      readObjects(app.app.context.database.org(org.orgId), object, [org.orgId]),
    ).resolves.toBeDefined()
  const { json } = (
    await readObjects(app.app.context.database.org(org.orgId), 'organization', [org.orgId])
  ).get(org.orgId)!
  expect(JSON.parse(json)).toEqual((await org.get('/organization')).body.data.acting_on)
})
