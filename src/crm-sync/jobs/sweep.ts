import { sql } from '../../platform/db/sql.ts'
import type { SystemScope } from '../../platform/db/system.ts'
import type { Columns } from '../../platform/db/tables.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { Log } from '../../platform/log.ts'
import { repeatEvery } from '../../platform/repeat-every.ts'

const intervalMs = 3_600_000
const itemsPerDelete = 5_000
const dayMs = 86_400_000

/**
 * Deletes at most 5,000 people of one job that ended before `ended`; then the job itself. A job stays while a queued
 * job retries it.
 * @returns whether there may be more to delete
 */
async function deleteSome(tx: Tx, ended: Date): Promise<boolean> {
  const job = await tx.first(sql<Columns<'crm_job', 'org_id' | 'job_id'>>`
    select org_id, job_id from crm_job j
    where finished_at < ${ended} and not exists (
      select from crm_job r
      where r.org_id = j.org_id and r.status = 'queued' and r.selection ->> 'retry_of' = j.job_id::text)
    order by finished_at limit 1 for update skip locked`)
  if (!job) return false
  const { org_id: orgId, job_id: jobId } = job
  const items = await tx.run(sql`
    delete from crm_job_item where ctid = any(array(
      select ctid from crm_job_item where org_id = ${orgId} and job_id = ${jobId} limit ${itemsPerDelete}))`)
  if (items < itemsPerDelete)
    await tx.run(sql`delete from crm_job where org_id = ${orgId} and job_id = ${jobId}`)
  return true
}

/** Deletes the jobs that ended more than `keptDays` ago, with their people, in small transactions. */
export async function sweepOnce(
  scope: SystemScope,
  keptDays: number,
  { stopping = (): boolean => false, now = Date.now() } = {},
): Promise<void> {
  const ended = new Date(now - keptDays * dayMs)
  while ((await scope.transact((tx) => deleteSome(tx, ended))) && !stopping());
}

/**
 * Sweeps once an hour, until the returned function is called. Several processes may sweep at once.
 * @param keptDays null: jobs are kept forever
 */
export function sweepJobs(scope: SystemScope, log: Log, keptDays: number | null): () => Promise<void> {
  return repeatEvery(
    intervalMs,
    async (stopping) => keptDays !== null && sweepOnce(scope, keptDays, { stopping }),
    (error) => log.warn({ err: error }, 'old CRM jobs were not deleted; the next sweep deletes them'),
  )
}
