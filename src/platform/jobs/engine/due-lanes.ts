import { type Sql, sql } from '../../db/sql.ts'
import { installationLane } from '../identity.ts'

/**
 * The lanes of a queue with a due job, each with its payer and the time from which its first job is due. A sandbox
 * counts with its owner, and a client with its agency: each new client or sandbox would get a share of its own
 * otherwise. If a client has several agencies, the oldest link counts.
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
    coalesce(coalesce(agency.agency_org_id, o.sandbox_of)::text, lane.group_id) collate "C" as payer
  from lane
  left join org o on o.org_id = nullif(lane.group_id, ${installationLane})::uuid
  left join lateral (
    select l.agency_org_id from agency_client l
    where l.client_org_id = coalesce(o.sandbox_of, o.org_id)
    order by l.created_at, l.agency_org_id limit 1
  ) as agency on true
  where lane.start_after <= now()`
