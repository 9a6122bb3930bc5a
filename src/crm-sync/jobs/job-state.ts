import { recordEvents } from '../../events/record.ts'
import type { Actor } from '../../platform/actor.ts'
import type { Org } from '../../platform/db/org.ts'
import { OrgTx } from '../../platform/db/org-tx.ts'
import { rawSql, type Sql, sql } from '../../platform/db/sql.ts'
import type { Columns } from '../../platform/db/tables.ts'
import { limitSearches } from '../../records/search.ts'
import type { CrmKind } from '../adapters/adapter.ts'
import { readConnection, type StoredConnection } from '../connections.ts'
import type { PushTarget } from '../links.ts'
import { type Asked, countPeople, type People, peopleOf } from '../people.ts'
import type { JobError, JobKind } from '../schema.ts'

/**
 * The people that a job pushes: all of a filter, or the people that another job did not push. `resend_unchanged` includes
 * people whose values did not change since the last push.
 */
export type PushSelection = Asked & { retry_of?: string; resend_unchanged?: boolean }

export type RunningJob = {
  jobId: string
  kind: CrmKind
  mode: Actor['mode']
  connection: StoredConnection
  apiKeyId: string | null
  memberId: string | null
  connectedAppId: string | null
  /** How many times in a row the CRM was unavailable. */
  tries: number
  /** True until the first person has an outcome. Until then, each run first checks the CRM. */
  isFresh: boolean
  resendsUnchanged: boolean
  /** Every contact up to this id has an outcome, or waits for its last try; null: not known. */
  pushedTo: string | null
  isCanceled: boolean
}

const rowColumns = [
  ...(['status', 'kind', 'mode', 'connection_id', 'selection', 'large_population_confirmed'] as const),
  ...([
    'threshold',
    'cancel_requested',
    'tries',
    'processed',
    'pushed_to',
    'api_key_id',
    'member_id',
    'connected_app_id',
  ] as const),
]
const columns = rawSql(rowColumns.join(', '))
type JobRow = Columns<'crm_job', (typeof rowColumns)[number]> & {
  kind: JobKind
  mode: Actor['mode']
  selection: PushSelection
}

/** The kind of record that each kind of job pushes. */
export const kindOf: Record<JobKind, CrmKind> = { leads_push: 'lead', contacts_push: 'contact' }

/** The target to which a job pushes its people. */
export const targetOf = ({ mode, kind, connection }: RunningJob): PushTarget => ({
  ...{ mode, kind, connectionId: connection.connection_id },
})

type Author = Pick<RunningJob, 'mode' | 'apiKeyId' | 'memberId' | 'connectedAppId'>

const askerOf = ({ mode, api_key_id, member_id, connected_app_id }: JobRow): Author => ({
  ...{ mode, apiKeyId: api_key_id, memberId: member_id, connectedAppId: connected_app_id },
})

/** The actor in the job's events. It does not change if another caller cancels the job. */
export const actorOf = ({ orgId }: OrgTx, { mode, apiKeyId, memberId, connectedAppId }: Author): Actor => ({
  ...{ orgId, mode, apiKeyId, memberId },
  ...(connectedAppId === null ? {} : { connectedAppId }),
})

/**
 * Stores the people of a queued job as one snapshot. Refuses an unconfirmed job with more people than its confirmation
 * threshold. Does nothing for a job that has begun.
 */
export async function beginJob(org: Org, jobId: string): Promise<void> {
  const queued = await org.read((tx) => readRow(tx, jobId))
  if (queued?.status !== 'queued') return
  const target = { connectionId: queued.connection_id, mode: queued.mode, kind: kindOf[queued.kind] }
  const people = await selectPeople(org, target, queued.selection)
  const begin = () => org.transact((tx) => storePeople(tx, jobId, people))
  // A text search keeps a core of PostgreSQL busy, so it counts against the organization's limit of concurrent
  // searches.
  const { filter, segment } = queued.selection
  await (filter?.q === undefined && !segment?.q ? begin() : limitSearches(org.orgId, begin))
}

async function storePeople(tx: OrgTx, jobId: string, people: People): Promise<void> {
  const job = await readRow(tx, jobId, sql`for no key update`)
  if (job?.status !== 'queued') return
  if (job.cancel_requested) return endQueued(tx, jobId, job, { status: 'canceled' })
  const { threshold } = job
  const isTooMany = (population: number) => !job.large_population_confirmed && population > threshold
  const refuse = (population: number) => {
    const refusal = { reason: 'large_population', population, threshold }
    return endQueued(tx, jobId, job, { status: 'refused', population, refusal })
  }
  if (!job.large_population_confirmed) {
    const counted = await countPeople(tx, people)
    if (isTooMany(counted)) return refuse(counted)
  }
  const population = await storeItems(tx, jobId, people)
  // Compare again: contacts may have been created after the first count.
  if (isTooMany(population)) {
    await tx.run(sql`delete from crm_job_item where org_id = ${tx.orgId} and job_id = ${jobId}`)
    return refuse(population)
  }
  await tx.run(sql`
    update crm_job
    set status = 'running', population = ${population}, started_at = clock_timestamp(), ${forgetSelection}
    where org_id = ${tx.orgId} and job_id = ${jobId}`)
}

async function selectPeople(org: Org, target: PushTarget, selection: PushSelection): Promise<People> {
  const { retry_of: jobId } = selection
  if (jobId === undefined) return peopleOf(org, target, selection)
  return sql`
    select contact_id from crm_job_item
    where org_id = ${org.orgId} and job_id = ${jobId} and (outcome = 'failed' or outcome is null)`
}

const storeItems = (tx: OrgTx, jobId: string, people: People): Promise<number> =>
  tx.run(sql`
    insert into crm_job_item (org_id, job_id, contact_id)
    select distinct ${tx.orgId}::uuid, ${jobId}::uuid, contact_id from (${people}) asked order by 3`)

/** Reads a job with its connection; null if it does not run. */
export async function readRunning(tx: OrgTx, jobId: string): Promise<RunningJob | null> {
  const row = await readRow(tx, jobId)
  if (row?.status !== 'running') return null
  const { kind, tries, processed } = row
  const connection = await readConnection(tx, row.connection_id, { includesDeleted: true })
  return {
    ...{ jobId, kind: kindOf[kind], connection, tries, ...askerOf(row) },
    isCanceled: row.cancel_requested,
    isFresh: processed === 0,
    resendsUnchanged: row.selection.resend_unchanged === true,
    pushedTo: row.pushed_to,
  }
}

/** Stores the progress of a job in its turn. */
export async function saveProgress(
  tx: OrgTx,
  { jobId }: RunningJob,
  contactId: string | null,
): Promise<void> {
  await tx.run(sql`
    update crm_job set pushed_to = greatest(pushed_to, ${contactId})
    where org_id = ${tx.orgId} and job_id = ${jobId}`)
}

/** Stores why a running job waits, and counts the failed try. */
export async function saveWaitReason(tx: OrgTx, { jobId }: RunningJob, why: JobError): Promise<void> {
  await tx.run(sql`
    update crm_job set tries = tries + 1, error = ${JSON.stringify(why)}
    where org_id = ${tx.orgId} and job_id = ${jobId} and status = 'running'`)
}

type EndedJob = Columns<'crm_job', 'status' | 'processed' | 'failed'>

/**
 * Ends a running job. A canceled job gets no error.
 * @param error why the job failed; null if everyone has an outcome, or if the job was canceled
 */
export async function finishJob(tx: OrgTx, job: RunningJob, error: JobError | null): Promise<void> {
  const { jobId } = job
  const stored = error && JSON.stringify(error)
  const ended = await tx.first(sql<EndedJob>`
    update crm_job set finished_at = clock_timestamp(),
      error = case when not cancel_requested or processed = population then ${stored}::json end,
      status = case
        when cancel_requested and processed < population then 'canceled'
        when ${error !== null}::boolean then 'failed'
        when failed = 0 then 'succeeded'
        when failed = population then 'failed'
        else 'partially_succeeded'
      end
    where org_id = ${tx.orgId} and job_id = ${jobId} and status = 'running'
    returning status, processed, failed`)
  if (ended) await recordFinished(tx, jobId, job, { ...ended })
}

/** Ends a job that was interrupted too often, even if it never began. */
export async function failInterruptedJob(tx: OrgTx, jobId: string, error: JobError): Promise<void> {
  const row = await readRow(tx, jobId, sql`for no key update`)
  if (row?.status === 'queued') return endQueued(tx, jobId, row, { status: 'failed', error })
  const running = await readRunning(tx, jobId)
  if (running) await finishJob(tx, running, error)
}

/**
 * Ends the queued jobs of a connection, and stops its running jobs before their next batch. Returns the ids of the
 * running jobs.
 */
export async function cancelJobsOf(tx: OrgTx, connectionId: string): Promise<string[]> {
  const rows = await tx.rows(sql<JobRow & { job_id: string }>`
    update crm_job set cancel_requested = true
    where org_id = ${tx.orgId} and connection_id = ${connectionId} and status in ('queued', 'running')
    returning job_id, ${columns}`)
  for (const row of rows)
    if (row.status === 'queued') await endQueued(tx, row.job_id, row, { status: 'canceled' })
  return rows.filter(({ status }) => status === 'running').map((row) => row.job_id)
}

/** Cancels one job, in the same way as `cancelJobsOf`. Returns true if the job is running. */
export async function cancelOneJob(tx: OrgTx, jobId: string): Promise<boolean> {
  const row = await tx.first(sql<JobRow>`
    update crm_job set cancel_requested = true
    where org_id = ${tx.orgId} and job_id = ${jobId} and status in ('queued', 'running') returning ${columns}`)
  if (row?.status === 'queued') await endQueued(tx, jobId, row, { status: 'canceled' })
  return row?.status === 'running'
}

async function endQueued(
  tx: OrgTx,
  jobId: string,
  row: JobRow,
  end: { status: 'canceled' | 'refused' | 'failed'; population?: number; refusal?: object; error?: JobError },
): Promise<void> {
  const { status, population = null, refusal, error } = end
  await tx.run(sql`
    update crm_job set status = ${status}, population = ${population},
      refusal = ${refusal ? JSON.stringify(refusal) : null}, error = ${error ? JSON.stringify(error) : null},
      finished_at = clock_timestamp(), ${forgetSelection}
    where org_id = ${tx.orgId} and job_id = ${jobId}`)
  await recordFinished(tx, jobId, askerOf(row), { status })
}

async function recordFinished(
  tx: OrgTx,
  jobId: string,
  job: Author,
  data: { status: string },
): Promise<void> {
  const author = new OrgTx(tx, actorOf(tx, job))
  await recordEvents(author, [{ type: 'crm_job.finished', objectId: jobId, data }])
}

/** Removes the requested ids and filters, which may be personal data. A started job does not need them. */
const forgetSelection = sql`selection = (selection::jsonb - '{filter,conditions,contact_ids,segment}'::text[])::json`

const readRow = (tx: OrgTx, jobId: string, lock: Sql = sql``): Promise<JobRow | undefined> =>
  tx.first(sql<JobRow>`
    select ${columns} from crm_job where org_id = ${tx.orgId} and job_id = ${jobId} ${lock}`)
