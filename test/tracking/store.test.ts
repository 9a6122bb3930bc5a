import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { pino } from 'pino'
import { afterAll, describe, expect, test } from 'vitest'
import type { OrgTx } from '../../src/platform/db/org-tx.ts'
import { sql } from '../../src/platform/db/sql.ts'
import { system } from '../../src/platform/db/system.ts'
import { noBrowser } from '../../src/tracking/privacy/browser.ts'
import { noWriteKey } from '../../src/tracking/store/counts.ts'
import { dropDays, makeDays } from '../../src/tracking/store/days.ts'
import { EventStore } from '../../src/tracking/store/event-store.ts'
import { keepDays } from '../../src/tracking/store/keep-days.ts'
import type { Slice } from '../../src/tracking/store/slice.ts'
import { type EventPlace, readTimeline } from '../../src/tracking/store/timeline.ts'
import { findVisitor } from '../../src/tracking/store/visitors.ts'
import { eventTypes, type WebEvent } from '../../src/tracking/wire/event.ts'
import { readEvent } from '../../src/tracking/wire/read-event.ts'
import { startTestApp } from '../support/app.ts'
import { runAsOwner } from '../support/database.ts'
import { patience } from '../support/patience.ts'
import { countsOf } from '../support/web-event-counts.ts'

const app = await startTestApp()
afterAll(() => app.close())
const { database } = app.app.context
const store = new EventStore(database.unbound())
const dayMs = 86_400_000

const inOrg = <Result>(orgId: string, work: (tx: OrgTx) => Promise<Result>) =>
  database.org(orgId).transact(work)

function event(orgId: string, messageId: string, more: object = {}, receivedAt = Date.now()): WebEvent {
  const raw = { type: 'track', event: 'Seen', anonymousId: 'a1', messageId, ...more }
  const receipt = {
    orgId,
    type: null,
    sentAt: null,
    receivedAt,
    isTrusted: false,
    allowed: new Set(eventTypes),
    ...{ browser: noBrowser, respectsDnt: false, dailyVisitor: null, findVerified: null },
  }
  const read = readEvent(raw, receipt)
  if (typeof read === 'string') throw new Error(read)
  return read
}

const slice = (orgId: string, events: WebEvent[], more: Partial<Slice> = {}): Slice => ({
  ...{ orgId, mode: 'live', keyId: noWriteKey, receivedAt: Date.now(), events, dropped: new Map() },
  ...more,
})

const usage = (orgId: string) => inOrg(orgId, countsOf)

type TimelineEvent = { message_key: string; occurred_at: Date; name: string | null; properties: unknown }

/** The events of a visitor, newest first. */
async function timeline(tx: OrgTx, visitorId: string, limit = 10, after: EventPlace | null = null) {
  const visitor = await findVisitor(tx, visitorId, 'live')
  const none = { events: [], next: null }
  return visitor ? readTimeline<TimelineEvent>(tx, visitor, { after, limit }, sql`e.*`) : none
}

const eventsOf = (orgId: string, { visitorId }: WebEvent) =>
  inOrg(orgId, async (tx) => (await timeline(tx, visitorId!)).events)

describe('append', () => {
  test('one commit stores the events of several organizations, each under its own organization', async () => {
    const [one, other] = [randomUUID(), randomUUID()]
    const [mine, theirs] = [event(one, 'm1', { properties: { a: [1, 'x', null] } }), event(other, 'm1')]
    const before = await commits()
    await store.append([slice(one, [mine]), slice(other, [theirs])])
    expect((await commits()) - before).toBe(1)
    const [row] = await eventsOf(one, mine)
    expect(row).toMatchObject({
      message_key: mine.messageKey,
      occurred_at: new Date(mine.occurredAt),
      name: 'Seen',
      properties: { a: [1, 'x', null] },
    })
    expect(await eventsOf(other, mine)).toEqual([])
    expect(await usage(other)).toEqual({ accepted: 1 })
  })

  test('an event that is in one lot twice is stored once, and duplicate and dropped events are counted', async () => {
    const orgId = randomUUID()
    const [first, second] = [event(orgId, 'm1'), event(orgId, 'm2')]
    await store.append([slice(orgId, [first, second, first])])
    await store.append([slice(orgId, [second], { dropped: new Map([['no_id', 3]]) })])
    expect(await usage(orgId)).toEqual({ accepted: 2, duplicate: 2, no_id: 3 })
    expect(await eventsOf(orgId, first)).toHaveLength(2)
  })

  test('if PostgreSQL refuses a slice, no other slice of the commit is stored', async () => {
    const [good, bad] = [randomUUID(), randomUUID()]
    const broken = { ...event(bad, 'm1'), properties: '{' }
    await expect(store.append([slice(good, [event(good, 'm1')]), slice(bad, [broken])])).rejects.toThrow()
    expect(await usage(good)).toEqual({})
  })

  test('many processes that store the same events at once store each once', async () => {
    const orgs = Array.from({ length: 4 }, () => randomUUID())
    const lot = () =>
      orgs.map((orgId) =>
        slice(
          orgId,
          fc.sample(fc.shuffledSubarray(names, { minLength: 20 }), 1)[0]!.map((m) => event(orgId, m)),
        ),
      )
    const names = Array.from({ length: 20 }, (_, at) => `m${at}`)
    await Promise.all(Array.from({ length: 8 }, () => new EventStore(database.unbound()).append(lot())))
    for (const orgId of orgs) expect(await usage(orgId)).toEqual({ accepted: 20, duplicate: 140 })
  })
})

const keyOf = (row: TimelineEvent) => row.message_key

describe('reading', () => {
  test('the timeline lists the newest events first, in pages', async () => {
    const orgId = randomUUID()
    const now = Date.now()
    const at = (secondsAgo: number) => ({ timestamp: new Date(now - secondsAgo * 1000).toISOString() })
    const events = Array.from({ length: 25 }, (_, n) => event(orgId, `m${n}`, at(n), now))
    await store.append([slice(orgId, events)])
    const visitor = events[0]!.visitorId!
    const page = await inOrg(orgId, (tx) => timeline(tx, visitor))
    expect(page.events.map(keyOf)).toEqual(events.slice(0, 10).map((each) => each.messageKey))
    const next = await inOrg(orgId, (tx) => timeline(tx, visitor, 10, page.next))
    expect(next.events.map(keyOf)).toEqual(events.slice(10, 20).map((each) => each.messageKey))
  })
})

describe('days', () => {
  const days = async () =>
    (
      await runAsOwner<{ day: string }>(
        app.databaseUrl,
        `select relname as day from pg_class where relnamespace = 'web_event_day'::regnamespace and relkind = 'r' order by 1`,
      )
    ).map(({ day }) => day)
  const dayAfter = (offset: number) => new Date(Date.now() + offset * dayMs).toISOString().slice(0, 10)
  const nameOf = (offset: number) => `d${dayAfter(offset).replaceAll('-', '_')}`

  test('a write creates the partition of a missing day', async () => {
    const orgId = randomUUID()
    await runAsOwner(app.databaseUrl, `drop table web_event_day.${nameOf(0)}`)
    await store.append([slice(orgId, [event(orgId, 'm1')])])
    expect(await usage(orgId)).toEqual({ accepted: 1 })
    expect(await days()).toContain(nameOf(0))
  })

  test('partitions exist for 8 days back to 8 days ahead; older partitions are dropped with their events', async () => {
    const orgId = randomUUID()
    await app.operate(makeDays)
    expect(await days()).toEqual(Array.from({ length: 17 }, (_, at) => nameOf(at - 8)))
    expect(await app.operate(makeDays)).toBe(0)
    const old = event(orgId, 'm1', { timestamp: Date.now() - 5 * dayMs })
    await store.append([slice(orgId, [old, event(orgId, 'm2')])])
    expect(await app.operate((tx) => dropDays(tx, 4))).toBe(4)
    expect((await days())[0]).toBe(nameOf(-4))
    expect(await eventsOf(orgId, old)).toHaveLength(1)
    await app.operate(makeDays)
  })

  test('dropping a partition waits at most 0.5 s for a reader, and blocks writers no longer than that', async () => {
    const orgId = randomUUID()
    const [locked, read] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const reader = inOrg(orgId, async (tx) => {
      await tx.rows(sql`
        select from web_event where org_id = ${tx.orgId} and day = ${dayAfter(-7)}::date`)
      locked.resolve()
      await read.promise
    })
    await locked.promise
    await expectRefused(() => app.operate((tx) => dropDays(tx, 6)))
    await store.append([slice(orgId, [event(orgId, 'm1')])])
    read.resolve()
    await reader
    expect(await app.operate((tx) => dropDays(tx, 6))).toBe(2)
    await app.operate(makeDays)
  })

  test('old events are deleted even while a backup locks the days', async () => {
    const orgId = randomUUID()
    const old = event(orgId, 'm1', { timestamp: Date.now() - 4 * dayMs })
    await store.append([slice(orgId, [old])])
    await inOrg(orgId, (tx) =>
      tx.run(sql`insert into tracking_settings (org_id, retention_days) values (${tx.orgId}, 2)`),
    )
    const [locked, read] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const backup = inOrg(randomUUID(), async (tx) => {
      await tx.rows(sql`select from web_event where org_id = ${tx.orgId}`)
      locked.resolve()
      await read.promise
    })
    await locked.promise
    const stop = keepDays(system(database), pino({ enabled: false }), 6)
    await expect.poll(() => eventsOf(orgId, old), patience).toEqual([])
    read.resolve()
    await Promise.all([stop(), backup])
    await app.operate(makeDays)
  })

  test('neither role may read or write a partition directly', async () => {
    const rows = await runAsOwner(
      app.databaseUrl,
      `select relname, role from pg_class, unnest('{crosswalk_app,crosswalk_system}'::text[]) as role
       where relnamespace = 'web_event_day'::regnamespace and relkind = 'r'
       and has_table_privilege(role, pg_class.oid, 'select, insert, update, delete')`,
    )
    expect(rows).toEqual([])
  })
})

/** Checks that an action fails while a reader locks the table. */
const expectRefused = async (act: () => Promise<unknown>) => {
  const error = await act().catch((cause) => cause)
  expect(error).toMatchObject({ name: 'DatabaseUnavailable' })
}

/** How many transactions of crosswalk_app committed events. */
async function commits(): Promise<number> {
  const [row] = await runAsOwner<{ n: number }>(
    app.databaseUrl,
    'select count(distinct xmin::text)::int as n from web_event',
  )
  return row!.n
}
