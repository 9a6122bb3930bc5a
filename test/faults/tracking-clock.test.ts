import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { startTestApp, type TestOrg } from '../support/app.ts'
import { runAsOwner } from '../support/database.ts'
import { usageOf } from '../support/tracking-clients.ts'

const app = await startTestApp()
afterAll(() => app.close())
afterEach(() => vi.useRealTimers())

const [hourMs, dayMs] = [3_600_000, 86_400_000]
const nextMidnight = Math.ceil(Date.now() / dayMs) * dayMs
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/** Sets the clock of the server's process, but neither its timers nor PostgreSQL's clock. */
function setClock(ms: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: ms })
}

/** Sends events with an API key, as a server SDK does. The client uses the server's clock. */
const send = (org: TestOrg, ...events: { messageId: string; timestamp: string }[]) =>
  app.stranger.post(
    '/v1/batch',
    {
      writeKey: org.token,
      batch: events.map((event) => ({ type: 'track', event: 'Seen', anonymousId: 'a1', ...event })),
      sentAt: new Date(),
    },
    { prefix: '' },
  )

const event = (messageId: string, ms: number) => ({ messageId, timestamp: new Date(ms).toISOString() })

const stored = ({ orgId }: TestOrg) =>
  runAsOwner<{ day: string; at: Date; n: number }>(
    app.databaseUrl,
    `select tableoid::regclass::text as partition, day::text, occurred_at as at, received_at from web_event
     where org_id = $1 order by occurred_at`,
    [orgId],
  )

const countedByHour = ({ orgId }: TestOrg) =>
  runAsOwner(
    app.databaseUrl,
    `select extract(epoch from hour)::bigint * 1000 as hour, outcome, sum(n)::int as n from (
       select org_id, hour, outcome, n from web_event_count union all select org_id, hour, outcome, n from web_event_delta
     ) as counted where org_id = $1 group by 1, 2 order by 1, 2`,
    [orgId],
  )

test('events before and after midnight are stored once, each under its own day, and counted in the hour of their receipt', async () => {
  const org = await app.newOrg()
  const [last, first] = [nextMidnight - 1, nextMidnight]
  setClock(last)
  expect((await send(org, event('late', last))).status).toBe(200)
  setClock(first)
  // The client did not see the answer, so it repeats the request on the next day.
  expect((await send(org, event('late', last), event('early', first))).status).toBe(200)
  expect(await stored(org)).toMatchObject([
    { day: dayOf(last), at: new Date(last), received_at: new Date(last) },
    { day: dayOf(first), at: new Date(first), received_at: new Date(first) },
  ])
  expect(await countedByHour(org)).toEqual([
    { hour: nextMidnight - hourMs, outcome: 'accepted', n: 1 },
    { hour: nextMidnight, outcome: 'accepted', n: 1 },
    { hour: nextMidnight, outcome: 'duplicate', n: 1 },
  ])
})

test('requests that arrive before and after midnight are counted in two hours, even if one commit stores them', async () => {
  const org = await app.newOrg()
  setClock(nextMidnight - 1)
  const before = Array.from({ length: 10 }, (_, n) => send(org, event(`late ${n}`, nextMidnight - 1)))
  setClock(nextMidnight)
  const after = Array.from({ length: 10 }, (_, n) => send(org, event(`early ${n}`, nextMidnight)))
  const answers = await Promise.all([...before, ...after])
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  const counted = (await countedByHour(org)) as { n: number }[]
  expect(counted.reduce((sum, { n }) => sum + n, 0)).toBe(20)
  expect((await stored(org)).map(({ day }) => day)).toEqual([
    ...Array(10).fill(dayOf(nextMidnight - 1)),
    ...Array(10).fill(dayOf(nextMidnight)),
  ])
})

// The clock may jump back by 1 day at most: duplicates are found by the day of their event, and an event may be 1 day
// ahead.
test.each([
  ['back a day', -dayMs],
  ['ahead an hour', hourMs],
  ['ahead 7 days', 7 * dayMs],
])(
  'after the clock of the server jumps %s, events are stored, and a repeated event only once',
  async (_name, byMs) => {
    const org = await app.newOrg()
    const now = Date.now()
    expect((await send(org, event('before', now))).status).toBe(200)
    setClock(now + byMs)
    expect((await send(org, event('before', now), event('after', now + byMs))).status).toBe(200)
    setClock(now)
    expect((await send(org, event('before', now), event('last', now))).status).toBe(200)
    expect(await usageOf(app, org.orgId)).toEqual({ accepted: 3, duplicate: 2 })
  },
)

test.each([
  ['behind', -365 * dayMs],
  ['ahead', 365 * dayMs],
])(
  'a server whose clock is a year %s refuses events with 503, and they are stored when the clock is right',
  async (_name, byMs) => {
    const org = await app.newOrg()
    const now = Date.now()
    setClock(now + byMs)
    const refused = await send(org, event('m1', now + byMs))
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([
      503,
      expect.stringMatching(/^\d+$/),
    ])
    expect(await stored(org)).toEqual([])
    setClock(now)
    expect((await send(org, event('m1', now))).status).toBe(200)
    expect(await usageOf(app, org.orgId)).toEqual({ accepted: 1 })
  },
)

test.each([
  ['behind', -3_000 * dayMs],
  ['ahead', 3_000 * dayMs],
])('events of a client whose clock is 3,000 days %s get the time of the server', async (_name, byMs) => {
  const org = await app.newOrg()
  const now = Date.now()
  const clock = (ms: number) => new Date(ms + byMs).toISOString()
  const batch = [{ type: 'page', anonymousId: 'a1', messageId: 'm1', timestamp: clock(now - 60_000) }]
  const { status } = await app.stranger.post(
    '/v1/batch',
    { writeKey: org.token, batch, sentAt: clock(now) },
    { prefix: '' },
  )
  expect(status).toBe(200)
  const [row] = await stored(org)
  expect(row!.day).toBe(dayOf(Date.now()))
  expect(Math.abs(Number(row!.at) - (Date.now() - 60_000))).toBeLessThan(60_000)
})
