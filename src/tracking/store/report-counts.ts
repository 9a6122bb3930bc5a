import type { OrgTx } from '../../platform/db/org-tx.ts'
import { joinSql, rawSql, type Sql, sql } from '../../platform/db/sql.ts'
import type { Dimension } from './report-deltas.ts'
import { otherKey } from './report-keys.ts'
import { utcDay } from './utc-day.ts'

/** A range of whole hours or days, in Unix seconds; `last` is not included. `seconds` is the length of a step. */
export type ReportRange = { first: number; last: number; seconds: number }

/** A number of a step. `at`: the beginning of the step in Unix seconds. */
export type StepCount = { at: number; n: number }

const hours = Array.from({ length: 24 }, (_, hour) => hour)
const time = (seconds: number) => sql`to_timestamp(${seconds}::bigint)`
const dayOf = (seconds: number) => sql`${utcDay(seconds * 1000)}::date`
const startOfDay = sql`day::timestamp at time zone 'UTC'`

/** The UTC days that a range touches. */
const daysOf = ({ first, last }: ReportRange): Sql => sql`day between ${dayOf(first)} and ${dayOf(last - 1)}`

/** The differences that are not in the totals yet. One statement reads both, so the numbers are exact. */
const deltasOf = ({ orgId }: OrgTx, dimension: Dimension, { first, last }: ReportRange): Sql => sql`
  select key, hour as at, n from web_report_delta
  where org_id = ${orgId} and dimension = ${dimension} and hour >= ${time(first)} and hour < ${time(last)}`

const isOfDays = ({ seconds }: ReportRange) => seconds >= 86_400

/** The sum of all keys, or of one key, in each step that has events. */
export function readSteps(
  tx: OrgTx,
  dimension: Dimension,
  range: ReportRange,
  key?: string,
): Promise<StepCount[]> {
  const { first, last, seconds } = range
  const isKey = key === undefined ? sql`` : sql`and key = ${key}`
  const stored = sql`web_report where org_id = ${tx.orgId} and dimension = ${dimension} and ${daysOf(range)} ${isKey}`
  const ofHour = sql`${startOfDay} + make_interval(hours => (h.hour - 1)::int)`
  // Sum the 24 hours of all keys before they become rows: a month can have 700,000 hours of keys.
  const sums = joinSql(hours.map((hour) => sql`sum(by_hour[${rawSql(String(hour + 1))}])`))
  const steps = isOfDays(range)
    ? sql`select ${startOfDay} as at, n from ${stored}`
    : sql`select ${ofHour} as at, h.n from (
          select day, array[${sums}] as by_hour from ${stored} group by day
        ) as days, unnest(by_hour) with ordinality as h (n, hour)
        where ${ofHour} >= ${time(first)} and ${ofHour} < ${time(last)}`
  return tx.rows(sql<StepCount>`
    select floor(extract(epoch from at) / ${seconds}::int)::bigint * ${seconds}::int as at, sum(n)::bigint as n
    from (
      ${steps} union all select at, n from (${deltasOf(tx, dimension, range)}) as deltas where true ${isKey}
    ) as counted
    group by 1 having sum(n) <> 0`)
}

/** The keys with the highest numbers, the highest first. Keys that are counted together are not among them. */
export function readTopKeys(
  tx: OrgTx,
  dimension: Dimension,
  range: ReportRange,
  limit: number,
): Promise<{ key: string; n: number }[]> {
  return tx.rows(sql<{ key: string; n: number }>`
    select key, sum(n)::bigint as n from (
      select key, ${isOfDays(range) ? sql`n` : cutDay(range)} as n from web_report
      where org_id = ${tx.orgId} and dimension = ${dimension} and ${daysOf(range)}
      union all
      select key, n from (${deltasOf(tx, dimension, range)}) as deltas
    ) as counted
    where key <> ${otherKey} group by key having sum(n) > 0 order by 2 desc, key limit ${limit}`)
}

/** The number of a row of `web_report` in a range of hours. Only the first and the last day can be cut. */
function cutDay({ first, last }: ReportRange): Sql {
  const hourOf = (seconds: number) => Math.floor((seconds % 86_400) / 3600)
  const [firstDay, lastDay] = [dayOf(first), dayOf(last - 1)]
  return sql`case when day > ${firstDay} and day < ${lastDay} then n else (
    select coalesce(sum(h.n), 0) from unnest(by_hour) with ordinality as h (n, hour)
    where (day > ${firstDay} or h.hour > ${hourOf(first)}::int) and (day < ${lastDay} or h.hour <= ${hourOf(last - 1)}::int + 1)
  ) end`
}

/** The visitors and sessions of a range or a step. */
export type VisitCounts = { visitors: number; sessions: number }

/** The bits of a row of `web_visit` that are in the range. Only the first and the last day can be cut. */
function bitsOf({ first, last }: ReportRange): Sql {
  const slotOf = (seconds: number) => Math.floor((seconds % 86_400) / 1800)
  // A shift by 0 slots keeps all bits.
  const fromFirst = -1n << BigInt(slotOf(first))
  const end = slotOf(last)
  const toLast = end === 0 ? -1n : (1n << BigInt(end)) - 1n
  return sql`(half_hours & case when day = ${dayOf(first)} then ${fromFirst}::bigint else -1 end
    & case when day = ${dayOf(last - 1)} then ${toLast}::bigint else -1 end)`
}

/** Visits of a range: a row for each visitor, day and session. */
const visitsOf = (tx: OrgTx, range: ReportRange): Sql => sql`(
  select day, visitor_id, session_id, bits from (
    select day, visitor_id, session_id, ${bitsOf(range)} as bits from web_visit
    where org_id = ${tx.orgId} and ${daysOf(range)}
  ) as cut where bits <> 0)`

/** Runs of neighboring half hours: the sessions of a client that sends no session ids. */
const runs = sql`bit_count((bits & ~(bits << 1))::bit(64))`

/** The different visitors of a range, and their sessions. */
export async function readVisits(tx: OrgTx, range: ReportRange): Promise<VisitCounts> {
  const row = await tx.first(sql<VisitCounts>`
    with visit as materialized ${visitsOf(tx, range)}
    select (select count(*) from (select from visit group by visitor_id) as v)::bigint as visitors,
      ((select count(*) from (select from visit where session_id <> '' group by visitor_id, session_id) as s)
        + (select coalesce(sum(${runs}), 0) from visit where session_id = ''))::bigint as sessions`)
  return row ?? { visitors: 0, sessions: 0 }
}

/** The different visitors and sessions of each step that has any. A session counts in each step in which it has events. */
export async function readVisitSteps(
  tx: OrgTx,
  range: ReportRange,
): Promise<(VisitCounts & { at: number })[]> {
  const at = sql`extract(epoch from ${startOfDay})::bigint`
  const ofVisitor = sql`(select day, visitor_id, bit_or(bits) as bits from visit group by 1, 2) as v`
  if (range.seconds >= 86_400)
    return tx.rows(sql<VisitCounts & { at: number }>`
      with visit as materialized ${visitsOf(tx, range)}
      select ${at} as at, visitors::bigint, sessions::bigint
      from (select day, count(*) as visitors from ${ofVisitor} group by 1) as v
      join (
        select day, sum(case session_id when '' then ${runs} else 1 end) as sessions from visit group by 1
      ) as s using (day)`)
  const ofHours = (alias: string) =>
    joinSql(
      hours.map(
        (hour) => sql`count(*) filter (where ${rawSql(`${alias}.bits & (3::bigint << ${2 * hour})`)} <> 0)`,
      ),
    )
  return tx.rows(sql<VisitCounts & { at: number }>`
    with visit as materialized ${visitsOf(tx, range)}
    select ${at} + (h.hour - 1) * 3600 as at, h.visitors, h.sessions
    from (select v.day, array[${ofHours('v')}] as by_hour from ${ofVisitor} group by 1) as v
    join (select s.day, array[${ofHours('s')}] as by_hour from visit s group by 1) as s using (day),
      lateral unnest(v.by_hour, s.by_hour) with ordinality as h (visitors, sessions, hour)
    where h.visitors > 0`)
}
