import type { OrgTx } from '../../platform/db/org-tx.ts'
import { plannedOnce, rawSql, type Sql, sql, unprepared } from '../../platform/db/sql.ts'
import { trust } from '../wire/event.ts'
import { isAfter, type Placed, placeColumn, readDayWindows, type TimelineRange } from './timeline.ts'

/**
 * The events that name one of the users and no visitor, newest first: a server sends them with a `userId` alone. Events
 * that a page sent are left out: a page can send any number of events in the name of any user.
 * @param columns columns of `web_event e`
 */
export async function readServerEvents<Row>(
  tx: OrgTx,
  userKeys: readonly string[],
  { after, limit }: Pick<TimelineRange, 'after' | 'limit'>,
  columns: Sql,
): Promise<Row[]> {
  if (userKeys.length === 0) return []
  const ofUsers = sql`
    e.org_id = ${tx.orgId} and e.user_key = any(${userKeys}::text[]) and e.visitor_id is null
    and e.trust >= ${rawSql(String(trust.verified))} and e.mode = ${tx.actor.mode}`
  // Search for one event of each day, because a user can have many events. With the partitions of half a year, planning
  // this statement takes 60 ms.
  const days = await tx.rows(
    plannedOnce(sql<{ day: string }>`
    select d.day::text as day from (
      select to_date(c.relname, '"d"YYYY_MM_DD') as day from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'public.web_event'::regclass
    ) as d cross join lateral (select from web_event e where e.day = d.day and ${ofUsers} limit 1) as found
    order by d.day desc`),
  )
  // PostgreSQL leaves out the other days when it plans the statement.
  const read = (some: readonly string[]) =>
    tx.rows(
      unprepared(sql<Placed<Row>>`
      select ${columns}, ${placeColumn} from web_event e
      where ${ofUsers} and e.day = any(${some}::date[]) ${after === null ? sql`` : isAfter(after)}
      order by e.occurred_at desc, e.message_key desc limit ${limit + 1}`),
    )
  const all = days.map(({ day }) => day)
  return (await readDayWindows<Row>(all, { limit }, read)).events
}
