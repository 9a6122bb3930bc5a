import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { sharedTestApp, type TestOrg } from '../support/app.ts'
import { runAsOwner } from '../support/database.ts'

const app = await sharedTestApp()
afterAll(() => app.close())

type Shown = Readonly<Record<string, unknown>> & { event_id: string; name: string | null; visitor_id: string }

let addresses = 0

async function newSite(body: object = {}) {
  const org = await app.newOrg()
  const key: string = (await org.post('/write-keys', { name: 'Site', ...body })).body.data.key
  return { org, key }
}

async function send(writeKey: string, batch: object[]): Promise<void> {
  const headers = { 'x-forwarded-for': `10.3.0.${++addresses}` }
  const events = batch.map((event) => ({ type: 'track', event: 'Seen', anonymousId: 'a1', ...event }))
  const answer = await app.stranger.post('/v1/batch', { writeKey, batch: events }, { prefix: '', headers })
  expect(answer.status).toBe(200)
}

const read = async (org: TestOrg, query = '') => {
  const { status, body } = await org.get(`/tracking/events?${query}`)
  expect([status, body.detail]).toEqual([200, undefined])
  return body.data as { events: Shown[]; next_cursor: string | null }
}

async function readAll(org: TestOrg, query = ''): Promise<Shown[]> {
  const all: Shown[] = []
  let cursor = ''
  for (;;) {
    const page = await read(org, `${query}${cursor}`)
    all.push(...page.events)
    if (page.next_cursor === null) return all
    cursor = `&cursor=${page.next_cursor}`
  }
}

const names = (events: Shown[]) => events.map(({ name }) => name)

test('the latest events are listed newest first, with the data that the client sent', async () => {
  const { org, key } = await newSite()
  expect(await read(org)).toEqual({ events: [], next_cursor: null })
  await send(key, [{ event: 'First', messageId: 'm1' }])
  const page = { path: '/pricing', referrer: 'https://www.example.org/x' }
  const context = { page, sessionId: 's1' }
  await send(key, [{ event: 'Second', messageId: 'm2', userId: 'u1', properties: { plan: 'pro' }, context }])
  const { events, next_cursor } = await read(org)
  expect([names(events), next_cursor]).toEqual([['Second', 'First'], null])
  expect(events[0]).toMatchObject({
    ...{ type: 'track', mode: 'live', user_key: 'u1', session_id: 's1', url_path: '/pricing' },
    ...{ referrer_host: 'www.example.org', properties: { plan: 'pro' } },
  })
  const other = await app.newOrg()
  expect((await read(other)).events).toEqual([])
})

test.each([
  ['type=page', ['Home']],
  ['name=Bought', ['Bought']],
  ['session_id=s2', ['Bought']],
  ['mode=test', []],
  ['mode=live&type=track', ['Bought', 'Seen']],
  ['since=4000000000', []],
  ['name=bought', []],
])('the filter %s selects %j', async (query, expected) => {
  const { org, key } = await newSite()
  await send(key, [{ messageId: 'm1', context: { sessionId: 's1' } }])
  await send(key, [{ messageId: 'm2', event: 'Bought', anonymousId: 'a2', context: { sessionId: 's2' } }])
  await send(key, [{ messageId: 'm3', type: 'page', event: undefined, name: 'Home' }])
  expect(names(await readAll(org, query))).toEqual(expected)
  const [bought] = (await read(org, 'name=Bought')).events
  expect(names(await readAll(org, `visitor_id=${bought!.visitor_id}`))).toEqual(['Bought'])
})

test('pages have every event once, even if other events arrive or many have the same time', async () => {
  const { org, key } = await newSite()
  const ids = (from: number, n: number) =>
    Array.from({ length: n }, (_, at) => ({ messageId: `m${from + at}` }))
  await send(key, ids(0, 20))
  await send(key, ids(20, 11))
  const before = await readAll(org, 'limit=100')
  expect(new Set(before.map(({ event_id }) => event_id)).size).toBe(31)
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 40 }), async (limit) => {
      expect(await readAll(org, `limit=${limit}`)).toEqual(before)
      expect(await readAll(org, `limit=${limit}&type=track`)).toEqual(before)
    }),
    { numRuns: 6, examples: [[1], [20], [31]] },
  )
  const first = await read(org, 'limit=10')
  await send(key, ids(31, 5))
  const second = await read(org, `limit=100&cursor=${first.next_cursor}`)
  expect([...first.events, ...second.events]).toEqual(before)
})

test('events of past days are listed after the events of today', async () => {
  const { org, key } = await newSite()
  await send(key, [{ messageId: 'm1', event: 'Old', timestamp: Date.now() - 3 * 86_400_000 }])
  await runAsOwner(
    app.databaseUrl,
    `update web_event set received_at = received_at - interval '3 days' where org_id = $1`,
    [org.orgId],
  )
  await send(key, [
    { messageId: 'm2', event: 'Late', timestamp: Date.now() - 4 * 86_400_000 },
    { messageId: 'm3' },
  ])
  const all = await readAll(org, 'limit=1')
  expect([names(all).slice(0, 2).sort(), names(all)[2]]).toEqual([['Late', 'Seen'], 'Old'])
})

test('a filter with few matches examines 10,000 events a page, and the cursor leads to the next ones', async () => {
  const { org, key } = await newSite()
  await send(key, [{ messageId: 'm1', event: 'Rare' }])
  await runAsOwner(
    app.databaseUrl,
    `insert into web_event select org_id, day, gen_random_uuid(), mode, occurred_at, received_at + n * interval '1 ms', is_late,
       visitor_id, user_key, session_id, type, 'Often', url_path, referrer_host, trust, properties, context
     from web_event, generate_series(1, 10500) as n where org_id = $1`,
    [org.orgId],
  )
  const first = await read(org, 'name=Rare')
  expect(first.events).toEqual([])
  const second = await read(org, `name=Rare&cursor=${first.next_cursor}`)
  expect([names(second.events), second.next_cursor]).toEqual([['Rare'], null])
})

test('a visitor with fewer than 10,000 events on many days has them on the first page, however many events others sent since', async () => {
  const { org, key } = await newSite()
  const ofDays = Array.from({ length: 7 }, (_, day) => ({
    ...{ messageId: `m${day}`, event: 'Rare', timestamp: Date.now() - day * 86_400_000 },
  }))
  await send(key, ofDays)
  const [{ visitor_id: visitorId }] = (await read(org)).events as [Shown]
  await runAsOwner(app.databaseUrl, 'update visitor set events = 1500 where org_id = $1', [org.orgId])
  await send(key, [{ messageId: 'other', anonymousId: 'a2' }])
  await runAsOwner(
    app.databaseUrl,
    `insert into web_event select org_id, day, gen_random_uuid(), mode, occurred_at, received_at + n * interval '1 ms', is_late,
       visitor_id, user_key, session_id, type, 'Often', url_path, referrer_host, trust, properties, context
     from web_event, generate_series(1, 10500) as n where org_id = $1 and visitor_id <> $2`,
    [org.orgId, visitorId],
  )
  const { events, next_cursor } = await read(org, `visitor_id=${visitorId}`)
  expect([names(events), next_cursor]).toEqual([ofDays.map(() => 'Rare'), null])
})

test('a cursor with other filters is refused, and the list needs tracking:read', async () => {
  const { org, key } = await newSite()
  await send(key, [{ messageId: 'm1' }, { messageId: 'm2' }])
  const { next_cursor } = await read(org, 'limit=1')
  expect((await org.get(`/tracking/events?type=track&cursor=${next_cursor}`)).status).toBe(422)
  const writer = await app.newKey(org.orgId, { permissions: ['contacts:manage'] })
  expect((await writer.get('/tracking/events')).status).toBe(403)
})
