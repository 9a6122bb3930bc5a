import type { OrgTx } from '../../platform/db/org-tx.ts'
import { rawSql, type Sql, sql, unprepared } from '../../platform/db/sql.ts'
import { trust } from '../wire/event.ts'
import type { Source } from '../wire/source.ts'
import { isAfter, type Placed, placeColumn, readDayWindows, type TimelineRange } from './timeline.ts'

/** A time. Unix milliseconds; null: without a bound. */
type Period = { from: number | null; until: number | null }

/** A visitor, and the times in which its events belong to some people. */
export type VisitorPart = {
  visitor: { visitor_id: string; days: readonly string[] }
  /** Events without a `userId` belong to the people in these times. */
  anonymous: readonly Period[]
  /** Events with one of these `userId`s belong to the people in these times. */
  users: ReadonlyMap<string, readonly Period[]>
  /** Events whose `userId` only a browser claims belong to the people in these times. */
  claimed: readonly Period[]
}

/** Events of visitors that belong to some people. All visitors have the mode of the transaction. */
export type PersonEvents = { parts: readonly VisitorPart[]; userKeys: readonly string[] }

/**
 * The events of some people, newest first: events whose `userId` is one of `userKeys`, and events of their times. One statement
 * reads the events of all visitors.
 * @param columns columns of `web_event e`
 */
export async function readPersonTimeline<Row>(
  tx: OrgTx,
  events: PersonEvents,
  { after, limit }: Pick<TimelineRange, 'after' | 'limit'>,
  columns: Sql,
): Promise<Row[]> {
  // Never prepare this: PostgreSQL would change to a plan for any limit, which reads and sorts all events of each visitor.
  // (Measured with 100,000 events of 20 visitors: a request took 2.2 times as long.)
  const read = (days: readonly string[]) =>
    tx.rows(
      unprepared(sql<Placed<Row>>`
      select found.* from ${partsOf(events)} cross join lateral (
        select ${columns}, ${placeColumn}, e.occurred_at as sort_at, e.message_key as sort_key
        from web_event e
        where ${isOfPart(tx, days)} and ${belongs(events)} ${after === null ? sql`` : isAfter(after)}
        order by e.occurred_at desc, e.message_key desc limit ${limit + 1}
      ) as found
      order by found.sort_at desc, found.sort_key desc limit ${limit + 1}`),
    )
  return (await readDayWindows<Row>(daysOf(events), { limit }, read)).events
}

/** An event that says where a visit came from. `at`: Unix milliseconds. */
export type StoredTouch = { at: number; source: Source | null; page: string | null }

/**
 * The first event of some people, or their last event with a source; undefined: there is none. Visitors remember their first and
 * last source after such an event was deleted.
 */
export function readTouch(
  tx: OrgTx,
  events: PersonEvents,
  which: 'first' | 'last',
): Promise<StoredTouch | undefined> {
  const isFirst = which === 'first'
  const [at, source] = isFirst
    ? [sql`v.first_seen_at`, sql`v.first_source`]
    : [sql`v.last_source_at`, sql`v.last_source`]
  const order = isFirst ? sql`asc` : sql`desc`
  const ofPart = sql`${isOfPart(tx, daysOf(events))}`
  return tx.first(sql<StoredTouch>`
    select floor(extract(epoch from touch.at) * 1000)::bigint as at, touch.source, (
      select e.url_path from web_event e
      where ${ofPart} and e.occurred_at = touch.at and e.url_path is not null and ${belongs(events)}
      order by e.message_key limit 1
    ) as page
    from ${partsOf(events)}
    join visitor v on v.org_id = ${tx.orgId} and v.visitor_id = p.visitor_id and v.mode = ${tx.actor.mode}
    cross join lateral (
      (select ${at} as at, ${source} as source
        where ${at} <@ (p.anonymous + p.claimed) and not exists (
          select from web_event e where ${ofPart} and e.occurred_at = ${at} and not ${belongs(events)}))
      union all
      (select e.occurred_at, e.source from web_event e
        where ${ofPart} and ${belongs(events)} ${isFirst ? sql`` : sql`and e.source is not null and e.occurred_at <= v.last_source_at`}
        order by e.occurred_at ${order} limit 1)
      limit 1
    ) as touch
    order by touch.at ${order} limit 1`)
}

/** All days under which the visitors have events, newest first. */
const daysOf = ({ parts }: PersonEvents) => [
  ...new Set(
    parts
      .flatMap(({ visitor }) => visitor.days)
      .sort()
      .reverse(),
  ),
]

/** SQL of the parts, as an item of FROM. */
const partsOf = ({ parts }: PersonEvents): Sql => sql`
  unnest(${parts.map(({ visitor }) => visitor.visitor_id)}::uuid[],
    ${parts.map(({ anonymous }) => rangesOf(anonymous))}::tstzmultirange[],
    ${parts.map(({ users }) => JSON.stringify(Object.fromEntries([...users].map(([user, periods]) => [user, rangesOf(periods)]))))}::jsonb[],
    ${parts.map(({ claimed }) => rangesOf(claimed))}::tstzmultirange[]) as p (visitor_id, anonymous, users, claimed)`

const isOfPart = (tx: OrgTx, days: readonly string[]): Sql => sql`
  e.org_id = ${tx.orgId} and e.visitor_id = p.visitor_id and e.day = any(${days}::date[]) and e.mode = ${tx.actor.mode}`

const belongs = ({ userKeys }: PersonEvents): Sql => sql`
  case when e.user_key is null then e.occurred_at <@ (p.anonymous + p.claimed)
    else e.user_key = any(${userKeys}::text[])
      or coalesce(e.occurred_at <@ (p.users ->> e.user_key)::tstzmultirange, false)
      or (e.trust < ${rawSql(String(trust.verified))} and e.occurred_at <@ p.claimed) end`

const rangesOf = (periods: readonly Period[]) =>
  `{${periods.map(({ from, until }) => `[${boundOf(from)},${boundOf(until)})`).join(',')}}`

const boundOf = (ms: number | null) => (ms === null ? '' : new Date(ms).toISOString())
