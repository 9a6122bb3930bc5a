import type { OrgTx } from '../../platform/db/org-tx.ts'
import { joinSql, rawSql, type Sql, sql } from '../../platform/db/sql.ts'
import { isCounted } from './report-deltas.ts'
import { utcDay } from './utc-day.ts'

/** What an event must be: a view of a path, or a track event with a name. */
export type Step = { kind: 'page' | 'event'; value: string; match: 'is' | 'starts_with' | 'contains' }

/** Times in Unix seconds; `to` is not included. */
export type FunnelRange = { from: number; to: number; windowSeconds: number }

/** A day and the time of an event can differ by this much: see src/tracking/wire/clock.ts. */
const daysApart = 8
const daySeconds = 86_400
/** The end of the year 9999: later years have five digits. */
const lastSecond = 253_402_300_799

/**
 * How many visitors did the first step, the first two steps in this order, and so on. All steps of a visitor happened
 * within `windowSeconds`. Of several beginnings the latest counts, so nobody who did all steps in time is missed.
 * @throws DatabaseUnavailable after `msMax`
 */
export async function countFunnel(
  tx: OrgTx,
  steps: readonly Step[],
  { from, to, windowSeconds }: FunnelRange,
  msMax: number,
): Promise<number[]> {
  const day = (seconds: number) => sql`${utcDay(Math.min(seconds, lastSecond) * 1000)}::date`
  const matches = steps.map((step, at) => sql`${matchOf(step)} as ${rawSql(`m${at}`)}`)
  const name = (letter: string, at: number) => rawSql(`${letter}${at}`)
  const isWanted = joinSql(steps.map(matchOf), ' or ')
  // t0 is the time of an event that is the first step. If an event is a later step in order, its t1, t2 … is also the
  // time of the first step. Otherwise these columns are null.
  const later = steps.slice(1).map((_, index) => {
    const [at, before] = [index + 1, index]
    const begun = sql`max(${name('t', before)}) over w`
    return sql`, c${rawSql(String(at))} as (
      select *, case when ${name('m', at)} and ${begun} >= occurred_at - make_interval(secs => ${windowSeconds})
        then ${begun} end as ${name('t', at)}
      from ${name('c', before)}
      window w as (partition by visitor_id order by occurred_at, message_key rows between unbounded preceding and 1 preceding)
    )`
  })
  await tx.rows(sql`select set_config('statement_timeout', ${`${msMax}ms`}, true)`)
  const row = await tx.first(sql<{ counts: number[] }>`
    with found as (
      select visitor_id, occurred_at, message_key, ${joinSql(matches)} from web_event
      where org_id = ${tx.orgId} and ${isCounted} and visitor_id is not null
        and day between ${day(from - daysApart * daySeconds)} and ${day(to + daysApart * daySeconds)}
        and occurred_at >= to_timestamp(${from}) and occurred_at < to_timestamp(${to}) and (${isWanted})
    ), c0 as (select *, case when m0 then occurred_at end as t0 from found)
    ${later.length === 0 ? sql`` : joinSql(later, ' ')}
    select json_build_array(${joinSql(
      steps.map((_, at) => sql`count(distinct visitor_id) filter (where ${name('t', at)} is not null)`),
    )}) as counts
    from ${name('c', steps.length - 1)}`)
  return row?.counts ?? steps.map(() => 0)
}

function matchOf({ kind, value, match }: Step): Sql {
  const [isKind, text] =
    kind === 'page'
      ? [sql`type in ('page', 'screen')`, sql`coalesce(url_path, name, '/')`]
      : [sql`type = 'track'`, sql`name`]
  const isText =
    match === 'is'
      ? sql`${text} = ${value}`
      : match === 'starts_with'
        ? sql`starts_with(${text}, ${value})`
        : sql`strpos(${text}, ${value}) > 0`
  return sql`(${isKind} and ${isText})`
}
