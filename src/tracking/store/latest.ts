import type { OrgTx } from '../../platform/db/org-tx.ts'
import { joinSql, type Sql, sql } from '../../platform/db/sql.ts'
import type { WebEventType } from '../wire/event.ts'
import { type ShownEvent, shownColumns } from './shown-event.ts'
import { utcDay } from './utc-day.ts'
import { findDays } from './visitors.ts'

/**
 * The maximum number of events that one page examines, so that a filter with few matches does not read the whole
 * history.
 */
export const examinedMax = 10_000

/** A UTC day has the events that were received up to 7 days later or 1 day earlier: see wire/clock.ts. */
const daysBefore = 7
const daysAfter = 1
const dayMs = 86_400_000

/** The place of an event in the order of receipt. `receivedAt` is in Unix milliseconds. */
export type ReceiptPosition = { receivedAt: number; day: string; messageKey: string }

export type LatestFilter = {
  mode?: 'live' | 'test' | undefined
  type?: WebEventType | undefined
  name?: string | undefined
  visitorId?: string | undefined
  sessionId?: string | undefined
  isBot?: boolean | undefined
  /** Unix milliseconds: only events that were received at or after this time. */
  since?: number | undefined
}

/** A page, and the place where the next one begins; null: there are no older events. */
export type LatestPage = { events: ShownEvent[]; next: ReceiptPosition | null }

/**
 * The latest events of an organization in the order of receipt, newest first. Events that arrive later do not shift the
 * pages that follow. With a filter, a page examines at most `examinedMax` events, so it may have fewer than `limit`
 * events while `next` is not null.
 */
export async function latestEvents(
  tx: OrgTx,
  filter: LatestFilter,
  { limit, after }: { limit: number; after: ReceiptPosition | null },
): Promise<LatestPage> {
  const days = filter.visitorId === undefined ? null : await daysOfVisitor(tx, filter.visitorId)
  if (days) {
    const whole = { limit, after, examined: null, since: null, days }
    return pageOf(await readWindow(tx, filter, whole), limit, Number.POSITIVE_INFINITY)
  }
  const examined = unindexedConditions(filter).length > 0 ? examinedMax : limit + 1
  const newest = after?.receivedAt ?? Date.now()
  // Read the last day first: it usually has enough events, and needs only 9 partitions.
  const recent = await readWindow(tx, filter, { limit, after, examined, since: newest - dayMs })
  if (recent.found.length > limit || recent.examined >= examined) return pageOf(recent, limit, examined)
  return pageOf(await readWindow(tx, filter, { limit, after, examined, since: null }), limit, examined)
}

/** Returns the days of a visitor; null: the visitor has more events than a page may examine. */
async function daysOfVisitor(tx: OrgTx, visitorId: string): Promise<string[] | null> {
  const { events, days } = (await findDays(tx, visitorId)) ?? (await daysOfEvents(tx, visitorId))
  return events <= examinedMax ? days : null
}

/** Returns the days of a visitor without a profile, who refused analytics. */
async function daysOfEvents(tx: OrgTx, visitorId: string): Promise<{ events: number; days: string[] }> {
  const row = await tx.first(sql<{ events: number; days: string[] }>`
    select count(*) as events, coalesce(array_agg(distinct day::text), '{}') as days
    from (select day from web_event where org_id = ${tx.orgId} and visitor_id = ${visitorId}
      limit ${examinedMax + 1}) as e`)
  return row ?? { events: 0, days: [] }
}

/** `examined` null: all events of the visitor on these days. */
type Window = {
  limit: number
  after: ReceiptPosition | null
  examined: number | null
  since: number | null
  days?: readonly string[]
}

type Row = ShownEvent & { place: ReceiptPosition; n: number; last: ReceiptPosition | null }

type Found = { found: Row[]; examined: number; last: ReceiptPosition | null }

async function readWindow(tx: OrgTx, filter: LatestFilter, window: Window): Promise<Found> {
  const { limit, after, examined, days } = window
  const since = Math.max(filter.since ?? 0, window.since ?? 0)
  const place = sql`json_build_object('receivedAt', floor(extract(epoch from e.received_at) * 1000)::bigint,
    'day', e.day, 'messageKey', e.message_key)`
  const rows = await tx.rows(sql<Row | ({ event_id: null } & Pick<Row, 'n' | 'last'>)>`
    with examined as materialized (
      select day, message_key, received_at, mode, type, name, visitor_id, session_id, is_bot
      from web_event
      where org_id = ${tx.orgId} ${receivedSince(since)} ${olderThan(after)}
        ${days === undefined ? sql`` : sql`and visitor_id = ${filter.visitorId} and day = any(${days}::date[])`}
        ${examined === null ? sql`` : sql`order by received_at desc, day desc, message_key desc limit ${examined}`}
    ), matching as (
      select day, message_key from examined
      where ${joinSql([sql`true`, ...unindexedConditions(filter)], ' and ')}
      order by received_at desc, day desc, message_key desc limit ${limit + 1}
    ), whole as (
      select (select count(*) from examined)::int as n,
        (select ${place} from examined e order by received_at, day, message_key limit 1) as last
    )
    select w.n, w.last, ${place} as place, ${shownColumns}
    from whole w left join (matching m join web_event e on e.org_id = ${tx.orgId} and e.day = m.day
      and e.message_key = m.message_key) on true
    order by e.received_at desc, e.day desc, e.message_key desc`)
  const found = rows.flatMap((row) => (row.event_id === null ? [] : [row]))
  return { found, examined: rows[0]?.n ?? 0, last: rows[0]?.last ?? null }
}

function pageOf({ found, examined, last }: Found, limit: number, examinedAtMost: number): LatestPage {
  const events = found.slice(0, limit).map(({ place: _place, n: _n, last: _last, ...event }) => event)
  if (found.length > limit) return { events, next: found[limit - 1]?.place ?? null }
  return { events, next: examined >= examinedAtMost ? last : null }
}

// The condition on the day lets PostgreSQL skip partitions that cannot contain such events.
const receivedSince = (since: number): Sql =>
  since === 0
    ? sql``
    : sql`and received_at >= ${new Date(since)} and day >= ${utcDay(since - daysBefore * dayMs)}::date`

const olderThan = (after: ReceiptPosition | null): Sql =>
  after === null
    ? sql``
    : sql`and (received_at, day, message_key)
        < (${new Date(after.receivedAt)}::timestamptz, ${after.day}::date, ${after.messageKey}::uuid)
        and day <= ${utcDay(after.receivedAt + daysAfter * dayMs)}::date`

/** Returns the conditions without an index. */
function unindexedConditions({ mode, type, name, visitorId, sessionId, isBot }: LatestFilter): Sql[] {
  return [
    visitorId === undefined ? null : sql`visitor_id = ${visitorId}`,
    mode === undefined ? null : sql`mode = ${mode}`,
    type === undefined ? null : sql`type = ${type}`,
    name === undefined ? null : sql`name = ${name}`,
    sessionId === undefined ? null : sql`session_id = ${sessionId}`,
    isBot === undefined ? null : sql`is_bot = ${isBot}`,
  ].filter((condition) => condition !== null)
}
