import { rawSql, type Sql, sql } from '../../db/sql.ts'
import type { SystemScope } from '../../db/system.ts'

/** The maximum count. The cost of counting does not grow with the queue. */
export const countedMax = 10_000

export type JobCount = { name: string; queued: number; running: number; failed: number }

/** Counts the jobs of each name. */
export function countJobs(scope: SystemScope): Promise<JobCount[]> {
  return scope.readRows(countsByQueue)
}

/** For each name, the seconds that the oldest due job has waited for its first try; 0 if none waits. */
export function oldestQueued(scope: SystemScope): Promise<{ name: string; seconds: number }[]> {
  return scope.readRows(oldestByQueue)
}

// With a limit, the planner uses an index. It would read the whole table for each name otherwise.
const countLimit = rawSql(`limit ${countedMax}`)
const countWhere = (condition: Sql, order: Sql) => sql`
  (select count(*)::int from (
     select from pgboss.job_common j where j.name = q.name and ${condition} order by ${order} ${countLimit}
   ) as found)`

const countsByQueue = sql<JobCount>`
  select q.name,
    ${countWhere(sql`state < 'active'`, sql`group_id, start_after`)} as queued,
    ${countWhere(sql`state = 'active'`, sql`started_on`)} as running,
    ${countWhere(sql`state = 'failed'`, sql`completed_on`)} as failed
  from pgboss.queue q order by q.name`

// Use the order of pg-boss's index job_i11.
const oldestByQueue = sql<{ name: string; seconds: number }>`
  select q.name, coalesce(extract(epoch from now() - (
    select start_after from pgboss.job_common j
    where j.name = q.name and state = 'created' and not blocked and start_after <= now()
    order by priority desc, created_on limit 1
  ))::float8, 0) as seconds
  from pgboss.queue q order by q.name`
