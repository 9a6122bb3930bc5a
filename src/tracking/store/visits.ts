import type { OrgTx } from '../../platform/db/org-tx.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { isCounted } from './report-deltas.ts'

/** A visitor on the UTC day of an event. */
export type VisitorDay = { visitor_id: string; day: string }

const dayOfEvent = sql`(occurred_at at time zone 'UTC')::date`

/**
 * The statement that adds events to the visits of their days. Its result is the same for any order and repetition of
 * events.
 * @param events an item of FROM
 */
export function addVisits(events: Sql): Sql {
  return sql`
    insert into web_visit as v (org_id, day, visitor_id, session_id, half_hours)
    select org_id, ${dayOfEvent}, visitor_id, coalesce(session_id, ''),
      bit_or(1::bigint << (extract(epoch from occurred_at)::bigint / 1800 % 48)::int)
    from ${events} where ${isCounted} and visitor_id is not null
    group by 1, 2, 3, 4
    -- In one order: two transactions that lock the rows in different orders would block each other.
    order by 1, 2, 3, 4
    on conflict (org_id, day, visitor_id, session_id) do update set half_hours = v.half_hours | excluded.half_hours
    where v.half_hours | excluded.half_hours <> v.half_hours`
}

/** SQL of the visitors and days of events. */
export const visitorDaysOf = (events: Sql): Sql<VisitorDay> => sql<VisitorDay>`
  select distinct visitor_id, ${dayOfEvent}::text as day from ${events} where visitor_id is not null`

/** Computes the visits of visitors on some days again, from their remaining events. */
export async function rebuildVisits(tx: OrgTx, visitorDays: readonly VisitorDay[]): Promise<void> {
  if (visitorDays.length === 0) return
  const [visitorIds, days] = [visitorDays.map(({ visitor_id: id }) => id), visitorDays.map(({ day }) => day)]
  const named = sql`unnest(${visitorIds}::uuid[], ${days}::date[]) as d (visitor_id, day)`
  await tx.run(sql`
    delete from web_visit v using ${named}
    where v.org_id = ${tx.orgId} and v.day = d.day and v.visitor_id = d.visitor_id`)
  const leftOver = sql`(
    select e.* from ${named} join web_event e on e.org_id = ${tx.orgId} and e.visitor_id = d.visitor_id
      and e.occurred_at >= d.day::timestamp at time zone 'UTC'
      and e.occurred_at < (d.day + 1)::timestamp at time zone 'UTC') as left_over`
  await tx.run(addVisits(leftOver))
}
