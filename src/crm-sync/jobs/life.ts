import { type Change, recordEventsBy } from '../../events/record.ts'
import type { Actor } from '../../platform/actor.ts'
import type { Org } from '../../platform/db/org.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Kind } from '../adapters/adapter.ts'
import { readConnection, type StoredConnection } from '../connections.ts'
import type { Target } from '../links.ts'
import { countPeople, type People, peopleOf } from '../people.ts'
import type { JobError, JobKind, Population } from '../schema.ts'

/** Who is pushed: a population, or those that another job left; and whether those are sent who did not change. */
export type Selection = Population & { retry_of?: string; resend_unchanged?: boolean }

/** A job that has begun. */
export type RunningJob = {
  orgId: string
  jobId: string
  kind: Kind
  mode: Actor['mode']
  connection: StoredConnection
  apiKeyId: string | null
  /** How often in a row the CRM was not to be had. */
  tries: number
  /** Nobody has an outcome yet: whether the CRM is fit for a push may not have been asked. */
  isFresh: boolean
  /** Whether those who did not change are sent as well. */
  resendsUnchanged: boolean
  /** The contact up to which everybody has an outcome; null: nobody is known to. */
  pushedTo: string | null
  isCanceled: boolean
}

type Row = {
  status: string
  kind: JobKind
  mode: Actor['mode']
  connection_id: string
  selection: Selection
  large_population_confirmed: boolean
  threshold: number
  cancel_requested: boolean
  tries: number
  processed: number
  pushed_to: string | null
  api_key_id: string | null
}

/** What each kind of job makes of people. */
export const kindOf: Record<JobKind, Kind> = { leads_push: 'lead', contacts_push: 'contact' }

/**
 * Takes the people whom a queued job pushes, all of one moment; or refuses them, if they are more than were agreed to. No
 * effect on a job that has begun.
 */
export async function beginJob(org: Org, jobId: string): Promise<void> {
  const { orgId } = org
  const queued = await org.read((tx) => readRow(tx, orgId, jobId))
  if (queued?.status !== 'queued') return
  const target = { orgId, connectionId: queued.connection_id, mode: queued.mode, kind: kindOf[queued.kind] }
  const people = await selected(org, target, queued.selection)
  await org.transact(async (tx) => {
    const job = await readRow(tx, orgId, jobId, 'for no key update')
    if (job?.status !== 'queued') return
    if (job.cancel_requested) return endQueued(tx, orgId, jobId, job, { status: 'canceled' })
    const { threshold } = job
    const isTooMany = (population: number) => !job.large_population_confirmed && population > threshold
    const refuse = (population: number) => {
      const refusal = { reason: 'large_population', population, threshold }
      return endQueued(tx, orgId, jobId, job, { status: 'refused', population, refusal })
    }
    if (!job.large_population_confirmed) {
      const counted = await countPeople(tx, people)
      if (isTooMany(counted)) return refuse(counted)
    }
    const population = await takePeople(tx, jobId, people)
    // Some may have come between the one statement and the other.
    if (isTooMany(population)) {
      await tx.run({
        text: 'delete from crm_job_item where org_id = $1 and job_id = $2',
        values: [orgId, jobId],
      })
      return refuse(population)
    }
    await tx.run({
      text: `
        update crm_job set status = 'running', population = $3, started_at = clock_timestamp(), ${forgetsWho}
        where org_id = $1 and job_id = $2`,
      values: [orgId, jobId, population],
    })
  })
}

async function selected(org: Org, target: Target, selection: Selection): Promise<People> {
  const { retry_of: jobId } = selection
  if (jobId === undefined) return peopleOf(org, target, selection)
  return sql`
    select contact_id from crm_job_item
    where org_id = ${org.orgId} and job_id = ${jobId} and (outcome = 'failed' or outcome is null)`
}

const takePeople = (tx: OrgTx, jobId: string, people: People): Promise<number> =>
  tx.run(sql`
    insert into crm_job_item (org_id, job_id, contact_id)
    select distinct ${tx.orgId}::uuid, ${jobId}::uuid, contact_id from (${people}) asked order by 3`)

/** A job that runs; null: it does not, as it has not begun, or has ended. */
export async function readRunning(tx: OrgTx, orgId: string, jobId: string): Promise<RunningJob | null> {
  const row = await readRow(tx, orgId, jobId)
  if (row?.status !== 'running') return null
  const { kind, mode, tries, processed, api_key_id: apiKeyId, cancel_requested: isCanceled } = row
  const connection = await readConnection(tx, orgId, row.connection_id, { deletedToo: true })
  return {
    ...{ orgId, jobId, kind: kindOf[kind], mode, connection, apiKeyId, tries, isCanceled },
    isFresh: processed === 0,
    resendsUnchanged: row.selection.resend_unchanged === true,
    pushedTo: row.pushed_to,
  }
}

/** Where a job's people are pushed to. */
export const targetOf = ({ orgId, mode, kind, connection }: RunningJob): Target => ({
  ...{ orgId, mode, kind, connectionId: connection.connection_id },
})

/** Notes how far a job came in its turn. */
export async function notePushedTo(
  tx: OrgTx,
  { orgId, jobId }: RunningJob,
  contactId: string | null,
): Promise<void> {
  await tx.run({
    text: 'update crm_job set pushed_to = greatest(pushed_to, $3) where org_id = $1 and job_id = $2',
    values: [orgId, jobId, contactId],
  })
}

/** Notes why a job waits. */
export async function noteWaiting(tx: OrgTx, { orgId, jobId }: RunningJob, why: JobError): Promise<void> {
  await tx.run({
    text: `
      update crm_job set tries = tries + 1, error = $3
      where org_id = $1 and job_id = $2 and status = 'running'`,
    values: [orgId, jobId, JSON.stringify(why)],
  })
}

/**
 * Ends a job that runs; one that was canceled has no error.
 * @param error why it could not go on; null: everybody has an outcome, or it was canceled
 */
export async function finishJob(tx: OrgTx, job: RunningJob, error: JobError | null): Promise<void> {
  const { orgId, jobId, mode, apiKeyId } = job
  const ended = await tx.first<{ status: string; processed: number; failed: number }>({
    text: `
      update crm_job set finished_at = clock_timestamp(),
        error = case when not cancel_requested or processed = population then $3::json end,
        status = case
          when cancel_requested and processed < population then 'canceled'
          when $3::json is not null then 'failed'
          when failed = 0 then 'succeeded'
          when failed = population then 'failed'
          else 'partially_succeeded'
        end
      where org_id = $1 and job_id = $2 and status = 'running'
      returning status, processed, failed`,
    values: [orgId, jobId, error && JSON.stringify(error)],
  })
  if (!ended) return
  const change: Change = { type: 'crm_job.finished', objectId: jobId, data: { ...ended } }
  await recordEventsBy(tx, { orgId, mode, apiKeyId }, [change])
}

/** Ends a job that broke off too often, whether it ever began or not. */
export async function breakOff(tx: OrgTx, orgId: string, jobId: string, error: JobError): Promise<void> {
  const row = await readRow(tx, orgId, jobId, 'for no key update')
  if (row?.status === 'queued') return endQueued(tx, orgId, jobId, row, { status: 'failed', error })
  const running = await readRunning(tx, orgId, jobId)
  if (running) await finishJob(tx, running, error)
}

/** Ends those of a connection's jobs that have not begun, and has the others end before their next batch; their ids. */
export async function cancelJobsOf(tx: OrgTx, orgId: string, connectionId: string): Promise<string[]> {
  const rows = await tx.rows<Row & { job_id: string }>({
    text: `
      update crm_job set cancel_requested = true
      where org_id = $1 and connection_id = $2 and status in ('queued', 'running')
      returning job_id, ${rowColumns}`,
    values: [orgId, connectionId],
  })
  for (const row of rows)
    if (row.status === 'queued') await endQueued(tx, orgId, row.job_id, row, { status: 'canceled' })
  return rows.filter(({ status }) => status === 'running').map((row) => row.job_id)
}

/** Cancels a job that has not ended, as `cancelJobsOf` does; true if it is at work, or waits. */
export async function cancelOne(tx: OrgTx, orgId: string, jobId: string): Promise<boolean> {
  const row = await tx.first<Row>({
    text: `
      update crm_job set cancel_requested = true
      where org_id = $1 and job_id = $2 and status in ('queued', 'running') returning ${rowColumns}`,
    values: [orgId, jobId],
  })
  if (row?.status === 'queued') await endQueued(tx, orgId, jobId, row, { status: 'canceled' })
  return row?.status === 'running'
}

async function endQueued(
  tx: OrgTx,
  orgId: string,
  jobId: string,
  { mode, api_key_id: apiKeyId }: Row,
  end: { status: 'canceled' | 'refused' | 'failed'; population?: number; refusal?: object; error?: JobError },
): Promise<void> {
  const { status, population = null, refusal = null, error = null } = end
  await tx.run({
    text: `
      update crm_job set status = $3, population = $4, refusal = $5, error = $6, finished_at = clock_timestamp(),
        ${forgetsWho}
      where org_id = $1 and job_id = $2`,
    values: [
      orgId,
      jobId,
      status,
      population,
      refusal && JSON.stringify(refusal),
      error && JSON.stringify(error),
    ],
  })
  await recordEventsBy(tx, { orgId, mode, apiKeyId }, [
    { type: 'crm_job.finished', objectId: jobId, data: { status } },
  ])
}

/** Whose people are taken, or will not be, need not keep what they were looked for by: a name, an address. */
const forgetsWho = `selection = (selection::jsonb - '{filter,contact_ids}'::text[])::json`

const rowColumns = `
  status, kind, mode, connection_id, selection, large_population_confirmed, threshold, cancel_requested, tries, processed,
  pushed_to, api_key_id`

function readRow(tx: OrgTx, orgId: string, jobId: string, lock = ''): Promise<Row | undefined> {
  return tx.first<Row>({
    text: `
      select ${rowColumns} from crm_job where org_id = $1 and job_id = $2 ${lock}`,
    values: [orgId, jobId],
  })
}
