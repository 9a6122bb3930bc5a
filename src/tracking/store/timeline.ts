import type { OrgTx } from '../../platform/db/org-tx.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { utcDay } from './utc-day.ts'

/** The number of days that the first read covers. Almost every visitor has events on fewer days. */
const daysAtFirst = 16
const dayMs = 86_400_000
/** An event happened before it was received: up to 7 days after the day under which it is stored. See wire/clock.ts. */
const daysAhead = 8

/** The place of an event in a timeline. `occurredAt` is in Unix milliseconds. */
export type EventPlace = { occurredAt: number; messageKey: string }

export type TimelineRange = {
  /** Unix milliseconds: only events that happened at or after this time. */
  since?: number | undefined
  /** Unix milliseconds: only events that happened before this time. */
  until?: number | undefined
  /** Only events after this place, which are older. */
  after: EventPlace | null
  limit: number
}

type VisitorDays = { visitor_id: string; mode: 'live' | 'test'; days: readonly string[] }

/**
 * The events of a visitor, newest first by the time when they happened. Reads only the days under which the visitor has
 * events, and only as many as the page needs.
 * @param columns columns of `web_event e`
 * @returns the page, and the place where the next one begins; null: there are no older events
 */
export async function readTimeline<Row>(
  tx: OrgTx,
  visitor: VisitorDays,
  range: TimelineRange,
  columns: Sql,
): Promise<{ events: Row[]; next: EventPlace | null }> {
  return readDayWindows(visitor.days, range, (days) => readDays<Row>(tx, visitor, days, range, columns))
}

/** An event with its place. */
export type Placed<Row> = Row & { place: EventPlace }

/**
 * A page of events, newest first, from as few of the newest days as it needs.
 * @param allDays the days under which events are stored, newest first
 * @param read reads at most `limit` + 1 events of some days, newest first
 */
export async function readDayWindows<Row>(
  allDays: readonly string[],
  { since, limit }: Pick<TimelineRange, 'since' | 'limit'>,
  read: (days: readonly string[]) => Promise<Placed<Row>[]>,
): Promise<{ events: Row[]; next: EventPlace | null }> {
  const first = since === undefined ? '' : utcDay(since - daysAhead * dayMs)
  const days = allDays.filter((day) => day >= first)
  for (let n = daysAtFirst; ; n *= 4) {
    const rows = await read(days.slice(0, n))
    const older = days[n]
    // Events of older days cannot be later than this time.
    const latest = older === undefined ? Number.NEGATIVE_INFINITY : Date.parse(older) + daysAhead * dayMs
    const sure = rows.filter(({ place }) => place.occurredAt > latest)
    if (older === undefined || sure.length > limit) return pageOf(sure, limit)
  }
}

function pageOf<Row>(rows: Placed<Row>[], limit: number): { events: Row[]; next: EventPlace | null } {
  const page = rows.slice(0, limit)
  const events = page.map(({ place: _place, ...event }) => event as Row)
  return { events, next: rows.length > limit ? (page.at(-1)?.place ?? null) : null }
}

/** SQL of the place of an event `e`. */
export const placeColumn = sql`
  json_build_object('occurredAt', floor(extract(epoch from e.occurred_at) * 1000)::bigint, 'messageKey', e.message_key) as place`

/** SQL of the condition that an event `e` comes after a place. */
export const isAfter = ({ occurredAt, messageKey }: EventPlace): Sql =>
  sql`and (e.occurred_at, e.message_key) < (${new Date(occurredAt)}::timestamptz, ${messageKey}::uuid)`

function readDays<Row>(
  tx: OrgTx,
  { visitor_id: visitorId, mode }: VisitorDays,
  days: readonly string[],
  { since, until, after, limit }: TimelineRange,
  columns: Sql,
): Promise<Placed<Row>[]> {
  const bounds = [
    since === undefined ? sql`` : sql`and e.occurred_at >= ${new Date(since)}`,
    until === undefined ? sql`` : sql`and e.occurred_at < ${new Date(until)}`,
    after === null ? sql`` : isAfter(after),
  ] as const
  return tx.rows(sql<Placed<Row>>`
    select ${columns}, ${placeColumn}
    from web_event e
    where e.org_id = ${tx.orgId} and e.visitor_id = ${visitorId} and e.day = any(${days}::date[]) and e.mode = ${mode}
      ${bounds[0]} ${bounds[1]} ${bounds[2]}
    order by e.occurred_at desc, e.message_key desc limit ${limit + 1}`)
}
