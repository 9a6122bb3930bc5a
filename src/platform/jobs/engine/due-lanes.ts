import { type Sql, sql } from '../../db/sql.ts'
import { installationLane } from '../identity.ts'
import { joinPayer, payerId } from '../payer.ts'

/**
 * The lanes of a queue with a due job, each with its payer and the time from which its first job is due.
 * @param name the name of the queue
 */
export const dueLanes = (name: Sql): Sql => sql`
  with recursive lane as (
    (select group_id, start_after from pgboss.job_common
     where state < 'active' and name = ${name}
     order by name, group_id, start_after limit 1)
    union all
    select next.* from lane cross join lateral (
      select group_id, start_after from pgboss.job_common
      where state < 'active' and name = ${name} and group_id > lane.group_id
      order by name, group_id, start_after limit 1
    ) as next
  )
  select lane.group_id, lane.start_after,
    coalesce(${payerId}::text, lane.group_id) collate "C" as payer
  from lane
  ${joinPayer(sql`nullif(lane.group_id, ${installationLane})::uuid`)}
  where lane.start_after <= now()`
