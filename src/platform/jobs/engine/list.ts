import { rawSql, sql, unprepared } from '../../db/sql.ts'
import type { Tx } from '../../db/tx.ts'
import { installationLane } from '../identity.ts'
import { wakeWorkers } from './wake.ts'

export const jobStates = ['queued', 'running', 'failed'] as const
export type JobState = (typeof jobStates)[number]

/** A job as operators see it. Times are Unix seconds. */
export type ListedJob = {
  job_id: string
  name: string
  state: JobState
  org_id: string | null
  /** The number of tries, with the current one. A try that a stopping worker returned to the queue does not count. */
  tries: number
  created_at: number
  /** When a queued job may run; otherwise null. */
  due_at: number | null
  started_at: number | null
  failed_at: number | null
  reason: string | null
}

export type JobFilter = { state?: JobState | null | undefined; name?: string | null | undefined }

/** Returns the newest unfinished jobs, at most `limit`. */
export function listJobs(
  tx: Tx,
  { state = null, name = null }: JobFilter,
  limit: number,
): Promise<ListedJob[]> {
  const statement = sql<ListedJob>`
    select id as job_id, name, ${stateOf} as state, nullif(group_id, ${installationLane}) as org_id,
      retry_count + (started_on is not null)::int as tries,
      ${seconds('created_on')} as created_at,
      case when state < 'active' then ${seconds('start_after')} end as due_at,
      ${seconds('started_on')} as started_at, ${seconds('completed_on')} as failed_at,
      case when state <> 'active' then ${reason} end as reason
    from pgboss.job_common
    where state in ('created', 'retry', 'active', 'failed')
      and (${state}::text is null or ${stateOf} = ${state}) and (${name}::text is null or name = ${name})
    order by created_on desc, id desc limit ${limit}`
  return tx.rows(unprepared(statement))
}

/** The names of all jobs, sorted. */
export async function jobNames(tx: Tx): Promise<string[]> {
  const rows = await tx.rows(sql<{ name: string }>`select name from pgboss.queue order by name`)
  return rows.map(({ name }) => name)
}

/**
 * Starts failed jobs again with all their tries: one job, the jobs of one name, or all. Returns the number of jobs.
 */
export async function retryFailed(
  tx: Tx,
  { jobId = null, name = null }: { jobId?: string | null | undefined; name?: string | null | undefined },
): Promise<number> {
  const statement = sql`
    update pgboss.job_common j
    set state = 'retry', retry_count = 0, retry_limit = q.retry_limit, start_after = now(), started_on = null,
      completed_on = null, keep_until = now() + q.retention_seconds * interval '1 second'
    from pgboss.queue q
    where q.name = j.name and j.state = 'failed'
      and (${jobId}::uuid is null or j.id = ${jobId}) and (${name}::text is null or j.name = ${name})`
  const retried = await tx.run(unprepared(statement))
  await wakeWorkers(tx)
  return retried
}

const stateOf = sql`case when state < 'active' then 'queued' when state = 'active' then 'running' else 'failed' end`
// If a process died, the message is pg-boss's own.
const reason = sql`coalesce(output ->> 'reason', case output #>> '{value,message}'
  when 'job heartbeat timeout' then 'The process that ran it died' else output #>> '{value,message}' end)`
const seconds = (column: string) => sql`floor(extract(epoch from ${rawSql(column)}))::float8`
