import type { OrgTx } from '../../platform/db/org-tx.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'

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
  /** Unix milliseconds: only events that happened before. */
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
  const { since, limit } = range
  const first = since === undefined ? '' : dayText(since - daysAhead * dayMs)
  const days = visitor.days.filter((day) => day >= first)
  for (let n = daysAtFirst; ; n *= 4) {
    const rows = await readDays<Row>(tx, visitor, days.slice(0, n), range, columns)
    const older = days[n]
    // Events of older days cannot be later than this time.
    const latest = older === undefined ? Number.NEGATIVE_INFINITY : Date.parse(older) + daysAhead * dayMs
    const sure = rows.filter(({ place }) => place.occurredAt > latest)
    if (older === undefined || sure.length > limit) return pageOf(sure, limit)
  }
}

type Placed<Row> = Row & { place: EventPlace }

function pageOf<Row>(rows: Placed<Row>[], limit: number): { events: Row[]; next: EventPlace | null } {
  const page = rows.slice(0, limit)
  const events = page.map(({ place: _place, ...event }) => event as Row)
  return { events, next: rows.length > limit ? (page.at(-1)?.place ?? null) : null }
}

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
    after === null
      ? sql``
      : sql`and (e.occurred_at, e.message_key) < (${new Date(after.occurredAt)}::timestamptz, ${after.messageKey}::uuid)`,
  ] as const
  return tx.rows(sql<Placed<Row>>`
    select ${columns}, json_build_object('occurredAt', floor(extract(epoch from e.occurred_at) * 1000)::bigint,
      'messageKey', e.message_key) as place
    from web_event e
    where e.org_id = ${tx.orgId} and e.visitor_id = ${visitorId} and e.day = any(${days}::date[]) and e.mode = ${mode}
      ${bounds[0]} ${bounds[1]} ${bounds[2]}
    order by e.occurred_at desc, e.message_key desc limit ${limit + 1}`)
}

const dayText = (ms: number) => new Date(ms).toISOString().slice(0, 10)
