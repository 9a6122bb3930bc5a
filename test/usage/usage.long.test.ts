import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { setCeilings } from '../../src/orgs/operator.ts'
import { newId } from '../../src/platform/db/new-id.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { system } from '../../src/platform/db/system.ts'
import { firstIdAt } from '../../src/platform/db/uuid-time.ts'
import { rollUp } from '../../src/usage/past-hours.ts'
import { startTestApp, type TestApp, type TestClient, type TestOrg } from '../support/app.ts'
import { newMember } from '../support/members.ts'
import { patience } from '../support/patience.ts'

let app: TestApp
let other: TestApp
beforeAll(async () => {
  app = await startTestApp()
  other = await startTestApp({ role: 'api' }, app)
})
afterEach(() => {
  vi.useRealTimers()
})
afterAll(async () => {
  await other.close()
  await app.close()
})

// Counts are stored every 3 s: to ask more often takes processor time from other tests.
const storing = { ...patience, interval: 250 }

const [hour, day] = [3_600, 86_400]
const now = () => Math.floor(Date.now() / 1000)
/**
 * Sets the clock by which requests are counted. The database and timers have their own clocks, and new ids never have
 * an earlier time.
 */
const setClock = (seconds: number) => vi.useFakeTimers({ toFake: ['Date'], now: seconds * 1000 })

type Points = [number, number][]

async function usageOf(client: TestClient, query = ''): Promise<Record<string, Points>> {
  const { status, body } = await client.get(`/usage${query}`)
  expect([status, body.detail]).toEqual([200, undefined])
  return Object.fromEntries(
    body.data.series.map((each: { name: string; points: Points }) => [each.name, each.points]),
  )
}

const sum = (points: Points | undefined) => (points ?? []).reduce((total, [, n]) => total + n, 0)
const used = (points: Points | undefined) => (points ?? []).filter(([, n]) => n > 0)

const idAt = (seconds: number) => `${firstIdAt(seconds).slice(0, 24)}${randomUUID().slice(24)}`

/** A call that was placed in the past. */
const addCall = (org: TestOrg, at: number, seconds: number | null, mode: 'live' | 'test' = 'live') =>
  app.operateOn(org.orgId, (tx) =>
    tx.run(sql`
      insert into call (org_id, call_id, mode, status, provider, from_number, variables, metadata, duration_seconds, created_at)
      values (${org.orgId}, ${idAt(at)}, ${mode}, 'completed', 'simulator', '+14155550100', '{}', '{}', ${seconds}, to_timestamp(${at}))`),
  )

/** An event with a time in the past. */
const addEvent = (org: TestOrg, at: number, mode: 'live' | 'test' = 'live') =>
  app.operateOn(org.orgId, (tx) =>
    tx.run(sql`
      insert into event (org_id, event_id, type, mode, created_at)
      values (${org.orgId}, ${idAt(at)}, 'contact.created', ${mode}, to_timestamp(${at}))`),
  )

describe('requests', () => {
  test('requests are counted exactly, in all processes, for API keys and for sessions, and never for another organization', async () => {
    const [org, neighbor] = [await app.newOrg(), await app.newOrg()]
    const member = await newMember(app, org.orgId, 'viewer')
    const there = other.client(org.token)
    for (let n = 0; n < 5; n++) {
      await org.get('/contacts')
      await there.get('/no-such-path')
      await member.get('/deals')
    }
    await neighbor.get('/contacts')
    let asked = 0
    await expect
      .poll(async () => {
        const total = sum((await usageOf(org)).requests) - asked
        asked += 1
        return total
      }, storing)
      .toBe(15)
    expect(sum((await usageOf(neighbor)).requests)).toBeLessThan(10)
    expect(used((await usageOf(org)).rate_limited)).toEqual([])
  })

  test('requests of test and live keys are counted separately, and refused ones also as rate_limited', async () => {
    const org = await app.newOrg()
    // At the default limit, a busy machine would take so long for 80 requests that none is refused.
    await app.operate((tx) => setCeilings(tx, org.orgId, { perSecond: 5, perMinute: null }))
    const tester = await app.newKey(org.orgId, { mode: 'test' })
    const answers = await Promise.all(Array.from({ length: 80 }, () => tester.get('/organization')))
    const refused = answers.filter(({ status }) => status === 429).length
    expect(refused).toBeGreaterThan(0)
    await expect
      .poll(
        async () => {
          const answer = await tester.get('/usage')
          if (answer.status === 429) return null
          return sum(
            answer.body.data.series.find(({ name }: { name: string }) => name === 'rate_limited').points,
          )
        },
        { ...patience, interval: 500 },
      )
      .toBeGreaterThanOrEqual(refused)
    expect(sum((await usageOf(tester)).requests)).toBeGreaterThanOrEqual(80)
    expect(sum((await usageOf(org)).rate_limited)).toBe(0)
  })

  test('requests without a valid key, or refused for another X-Org-Id, are not counted', async () => {
    const org = await app.newOrg()
    await app.stranger.get('/contacts')
    await org.get('/contacts', { headers: { 'x-org-id': newId() } })
    expect((await (await newMember(app, org.orgId)).get('/session')).status).toBe(200)
    await org.get('/deals')
    await expect.poll(async () => sum((await usageOf(org)).requests) > 0, storing).toBe(true)
    const rows = await app.operate((tx) =>
      tx.rows(
        sql<{
          n: number
        }>`select sum(n)::int as n from usage_hour where org_id not in (select org_id from org)`,
      ),
    )
    expect(rows).toEqual([{ n: null }])
  })

  test('the counts of a process that is stopped are stored', async () => {
    const third = await startTestApp({ role: 'api' }, app)
    const org = await app.newOrg()
    const there = third.client(org.token)
    for (let n = 0; n < 7; n++) await there.get('/deals')
    await third.close()
    expect(sum((await usageOf(org)).requests)).toBe(7)
  })

  test('requests are counted in the hour and on the day of their answer', async () => {
    const org = await app.newOrg()
    const midnight = (Math.floor(now() / day) - 1) * day
    for (const at of [midnight - 1, midnight, midnight + hour - 1, midnight + hour]) {
      setClock(at)
      await org.get('/contacts')
    }
    vi.useRealTimers()
    const query = `?from=${midnight - hour}&to=${midnight + 2 * hour}`
    await expect.poll(async () => sum((await usageOf(org, query)).requests), storing).toBe(4)
    expect((await usageOf(org, query)).requests).toEqual([
      [midnight - hour, 1],
      [midnight, 2],
      [midnight + hour, 1],
    ])
    const days = await usageOf(org, `${query}&step=day`)
    expect(days.requests).toEqual([
      [midnight - day, 1],
      [midnight, 3],
    ])
  })
})

describe('events', () => {
  test('events are counted exactly before and after their hour is rolled up, and each is in one hour', async () => {
    const org = await app.newOrg()
    const tester = await app.newKey(org.orgId, { mode: 'test' })
    const first = (Math.floor(now() / day) - 3) * day - hour
    for (const at of [first, first + hour - 1, first + hour, first + 2 * hour]) await addEvent(org, at)
    await addEvent(org, first, 'test')
    await app.operate((tx) =>
      tx.run(sql`update app.usage_progress set events_until = to_timestamp(${first})`),
    )
    const query = `?from=${first}&to=${first + 3 * hour}`
    const expected = [
      [first, 2],
      [first + hour, 1],
      [first + 2 * hour, 1],
    ]
    expect((await usageOf(org, query)).events).toEqual(expected)
    // The first hour ended more than an hour ago; the last one did not.
    setClock(first + 3 * hour)
    await rollUp(system(app.app.context.database))
    const rolled = await app.operate((tx) =>
      tx.rows(sql<{ n: number }>`
        select n from usage_hour where org_id = ${org.orgId} and mode = 'live' and series = 'events' and hour >= to_timestamp(${first})
        order by hour`),
    )
    expect(rolled.map(({ n }) => Number(n))).toEqual([2, 1])
    expect((await usageOf(org, query)).events).toEqual(expected)
    expect(sum((await usageOf(tester, query)).events)).toBe(1)
    vi.useRealTimers()
    expect((await usageOf(org, `?from=${first - hour}&to=${first + 3 * hour}&step=day`)).events).toEqual([
      [first + hour - day, 2],
      [first + hour, 2],
    ])
  })
})

describe('calls', () => {
  test('calls and their minutes count for the hour in which they were placed, and each call is rounded up', async () => {
    const [org, neighbor] = [await app.newOrg(), await app.newOrg()]
    const border = (Math.floor(now() / day) - 1) * day
    await addCall(org, border - 1, 61)
    await addCall(org, border, 1)
    await addCall(org, border + 5, null)
    await addCall(org, border + 6, 600, 'test')
    await addCall(neighbor, border, 60)
    const { calls, call_minutes: minutes } = await usageOf(org, `?from=${border - hour}&to=${border + hour}`)
    expect(calls).toEqual([
      [border - hour, 1],
      [border, 2],
    ])
    expect(minutes).toEqual([
      [border - hour, 2],
      [border, 1],
    ])
  })
})

describe('the series', () => {
  test('all series have the same hours or days without gaps: by default the last 24 hours or 30 days', async () => {
    const org = await app.newOrg()
    for (const [query, step, least] of [
      ['', hour, 24],
      ['?step=day', day, 30],
    ] as const) {
      const series = await usageOf(org, query)
      expect(Object.keys(series)).toEqual([
        ...['requests', 'rate_limited', 'calls', 'call_minutes', 'events'],
        ...['webhooks_delivered', 'webhooks_failed'],
      ])
      const times = series.requests!.map(([at]) => at)
      expect(times.length).toBeGreaterThanOrEqual(least)
      expect(times.length).toBeLessThanOrEqual(least + 2)
      expect(times[0]! % step).toBe(0)
      expect(times.at(-1)).toBe(now() - (now() % step))
      for (const points of Object.values(series))
        expect(points.map(([at]) => at)).toEqual(times.map((_, index) => times[0]! + index * step))
    }
  })

  test.each([
    ['?from=100&to=100', 'must be before'],
    ['?from=200&to=100', 'must be before'],
    [`?from=0&to=${31 * day + 2}`, 'at most 31 days by hour'],
    [`?from=0&to=${400 * day + 2}&step=day`, 'at most 400 days by day'],
    ['?step=week', "'hour' or 'day'"],
    ['?from=yesterday', 'integer'],
  ])('a request with %s gets 422', async (query, text) => {
    const org = await app.newOrg()
    const { status, body } = await org.get(`/usage${query}`)
    expect(status).toBe(422)
    expect(JSON.stringify(body.detail)).toContain(text)
  })

  test('a request may cover 31 days by hour or 400 days by day', async () => {
    const org = await app.newOrg()
    const end = now() - (now() % day)
    expect((await usageOf(org, `?from=${end - 31 * day}&to=${end}`)).requests).toHaveLength(31 * 24)
    expect((await usageOf(org, `?from=${end - 400 * day}&to=${end}&step=day`)).events).toHaveLength(400)
  })
})

test('usage needs organization:read, and an agency reads the usage of its client', async () => {
  const agency = await app.newAgency()
  const reader = await app.newKey(agency.orgId, { permissions: ['contacts:read'] })
  expect((await reader.get('/usage')).body.code).toBe('permission_missing')
  const client = (await agency.post('/agency/clients', { name: 'Client' })).body.data.org_id
  const headers = { 'x-target-org-id': client }
  for (let n = 0; n < 3; n++) await agency.get('/deals', { headers })
  await expect
    .poll(async () => {
      const { body } = await agency.get('/usage', { headers })
      return sum(body.data.series[0].points) >= 3
    }, storing)
    .toBe(true)
})

test('hours older than 400 days are deleted', async () => {
  const org = await app.newOrg()
  await app.operate((tx) =>
    tx.run(sql`
      insert into usage_hour (org_id, mode, hour, series, n)
      select ${org.orgId}, 'live', now() - make_interval(days => age), 'requests', age from unnest(array[399, 400, 402]) as age`),
  )
  await rollUp(system(app.app.context.database))
  const left = await app.operate((tx) =>
    tx.rows(sql<{ n: number }>`
      select n::int as n from usage_hour where org_id = ${org.orgId} and n in (399, 400, 402) order by n`),
  )
  expect(left.map(({ n }) => n)).toEqual([399, 400])
})
