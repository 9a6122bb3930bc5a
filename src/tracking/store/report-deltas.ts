import { rawSql, type Sql, sql } from '../../platform/db/sql.ts'

/** What reports count by. `count` has the keys `events` and `views`: the numbers of all events and page views. */
export type Dimension = 'count' | 'page' | 'referrer' | 'source' | 'campaign' | 'event'

/** Longer keys are cut: an index entry has at most 2,704 bytes. */
const keyLength = 200

const isView = sql`type in ('page', 'screen')`

/** The columns of events that `countEvents` reads. */
export const countedColumns: Sql = sql`org_id, mode, is_bot, occurred_at, type, name, url_path, source`

/** SQL of a condition: reports count the event. */
export const isCounted: Sql = sql`mode = 'live' and not is_bot`

/**
 * The statement that adds events to the reports, or subtracts erased events.
 * @param events an item of FROM with `countedColumns`
 */
export function countEvents(events: Sql, sign: 1 | -1): Sql {
  return sql`
    insert into web_report_delta (org_id, dimension, hour, key, n)
    select org_id, dimension, date_trunc('hour', occurred_at, 'UTC'), left(key, ${rawSql(String(keyLength))}),
      ${rawSql(String(sign))} * count(*)
    from ${events}, lateral (
      select 'count' as dimension, 'events' as key
      union all select 'count', 'views' where ${isView}
      union all select 'page', coalesce(url_path, name, '/') where ${isView}
      union all select 'event', name where type = 'track'
      union all select 'referrer', case when starts_with(source->>'referrer_host', 'www.')
        then substr(source->>'referrer_host', 5) else source->>'referrer_host' end where source is not null and ${isView}
      union all select 'source', source->>'source' where source is not null and ${isView}
      union all select 'campaign', source->>'campaign' where source is not null and ${isView}
    ) as c
    where ${isCounted} and key is not null
    group by 1, 2, 3, 4`
}
