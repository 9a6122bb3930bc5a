import { recordEvents } from '../../events/record.ts'
import type { Context } from '../../platform/context.ts'
import { JsonColumns, type TextRow } from '../../platform/db/json-columns.ts'
import { newId } from '../../platform/db/new-id.ts'
import type { Org } from '../../platform/db/org.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { sql, withTextRows } from '../../platform/db/sql.ts'
import type { Columns } from '../../platform/db/tables.ts'
import { timeOf } from '../../platform/db/uuid-time.ts'
import { conflict, notFound } from '../../platform/domain-error.ts'
import type { Cursors } from '../../platform/http/cursor.ts'
import type { Pagination } from '../../platform/http/endpoint.ts'
import { Json } from '../../platform/json.ts'
import { Filter, readPage } from '../../platform/page.ts'
import { namedConnection } from '../connections.ts'
import type { Asked } from '../people.ts'
import type { ItemQuery, JobKind, JobQuery, Outcome, Push } from '../schema.ts'
import { readSettings } from '../settings.ts'
import { cancelJobsOf, cancelOneJob, type PushSelection } from './job-state.ts'
import { pushPeople } from './push.ts'

const wire = new JsonColumns('j', {
  job_id: 'uuid',
  kind: 'text',
  status: 'text',
  connection_id: 'uuid',
  mode: 'text',
  population: 'integer',
  threshold: 'integer',
  large_population_confirmed: 'boolean',
  cancel_requested: 'boolean',
  counts: {
    object: {
      ...{ processed: 'integer', created: 'integer', updated: 'integer' },
      ...{ unchanged: 'integer', skipped: 'integer', failed: 'integer' },
    },
  },
  refusal: 'json',
  error: 'json',
  created_at: 'seconds',
  started_at: 'seconds',
  finished_at: 'seconds',
})

const itemWire = new JsonColumns('i', {
  contact_id: 'uuid',
  outcome: 'text',
  external_id: 'text',
  // null if the person failed and was erased later.
  error: 'json',
})

/** Lists the org's jobs, newest first. */
export function listJobs(
  org: Org,
  cursors: Cursors,
  query: JobQuery,
): Promise<{ rows: Json; pagination: Pagination }> {
  const { connection_id, status } = query
  const filter = new Filter(org.orgId, 'j')
    .where(connection_id, (p) => sql`j.connection_id = ${p}`)
    .where(status, (p) => sql`j.status = ${p}`)
  const list = JSON.stringify(['crm jobs', connection_id, status])
  return readPage(org, cursors, { list, from: sql`crm_job j`, id: sql`j.job_id`, wire, filter }, query)
}

/** The outcomes that always have an error, so the index of items with errors finds them. */
const withError: ReadonlySet<Outcome> = new Set(['failed', 'skipped'])

/** Returns the people of a job, by contact. @throws DomainError not_found */
export async function listItems(
  org: Org,
  cursors: Cursors,
  jobId: string,
  query: ItemQuery,
): Promise<{ rows: Json; pagination: Pagination }> {
  await org.read((tx) => findJob(tx, jobId))
  const { outcome } = query
  const filter = new Filter(org.orgId, 'i')
    .where(jobId, (p) => sql`i.job_id = ${p}`)
    .where(outcome, (p) => sql`i.outcome = ${p} ${withError.has(p) ? sql`and i.error is not null` : sql``}`)
  const list = JSON.stringify(['crm job items', jobId, outcome])
  const source = { list, from: sql`crm_job_item i`, id: sql`i.contact_id`, wire: itemWire, filter }
  return readPage(org, cursors, source, query)
}

/** A job as answers show it. @throws DomainError not_found */
export async function findJob(tx: OrgTx, jobId: string): Promise<Json> {
  const found = sql<TextRow>`
    select ${wire.columns} from crm_job j where j.org_id = ${tx.orgId} and j.job_id = ${jobId}`
  const [row] = await tx.rows(withTextRows(found))
  if (!row) throw unknownJob()
  return new Json(wire.object(row, 0))
}

/**
 * Creates a job that pushes the people of `asked`. The job and its background work commit together.
 * @throws DomainError not_found if the connection does not exist
 */
export async function createJob(
  tx: OrgTx,
  context: Pick<Context, 'jobs'>,
  kind: JobKind,
  push: Push,
  asked: Asked,
): Promise<Json> {
  const { connection_id: connectionId, large_population_confirmed: confirmed } = push
  await namedConnection(tx, connectionId, notDeleted)
  const selection: PushSelection = { ...asked, ...(push.resend_unchanged && { resend_unchanged: true }) }
  return insertJob(tx, context, { kind, connectionId, confirmed, selection })
}

/** Keeps other transactions from deleting the connection. */
const notDeleted = { lock: sql`for key share` }

/**
 * Creates a job for the people whose push failed in another job, and for those whom that job did not reach.
 * @throws DomainError not_found; conflict if nobody is left, the job runs, or it has the other mode
 */
export async function retryJob(tx: OrgTx, context: Context, jobId: string): Promise<Json> {
  const job = await lockJob(tx, jobId)
  // A job for the sandbox must not be retried in the real CRM.
  if (job.mode !== tx.actor.mode)
    throw conflict(
      'mode_mismatch',
      `This is a job of ${job.mode} mode, and its retry would be too: use a ${job.mode} key`,
    )
  if (job.status === 'queued' || job.status === 'running')
    throw conflict('job_not_ended', 'This job has not ended: cancel it, or wait until it ends')
  if (job.status === 'refused') {
    throw conflict(
      'job_refused',
      'This job was refused, because it would push more people than the threshold: push again with "large_population_confirmed": true',
    )
  }
  if (!job.leaves_some)
    throw conflict(
      'nothing_to_retry',
      'There is nothing to retry: nobody is left to push, or the job ended before it selected its people. To push again, send a new push',
    )
  await namedConnection(tx, job.connection_id, notDeleted)
  const { kind, connection_id: connectionId, selection: before } = job
  const selection = { retry_of: jobId, ...(before.resend_unchanged && { resend_unchanged: true }) }
  // No confirmation is needed: the first job was allowed to push at least as many people.
  return insertJob(tx, context, { kind, connectionId, confirmed: true, selection })
}

/**
 * Stops a job before its next batch.
 * @throws DomainError not_found; conflict if the job has ended, or if it is live and the API key is of test mode
 */
export async function cancelJob(tx: OrgTx, context: Pick<Context, 'jobs'>, jobId: string): Promise<Json> {
  const { status, connection_id: connectionId, mode } = await lockJob(tx, jobId)
  if (mode === 'live' && tx.actor.mode === 'test')
    throw conflict(
      'mode_mismatch',
      'This is a job of live mode, which a key of test mode cannot cancel: use a live key',
    )
  if (status !== 'canceled' && status !== 'queued' && status !== 'running')
    throw conflict('job_already_ended', `This job has already ended: it is ${status}`)
  if (await cancelOneJob(tx, jobId)) await enqueuePush(tx, context, connectionId, jobId)
  return findJob(tx, jobId)
}

/** Stops the jobs of a deleted connection, each before its next batch. */
export async function cancelJobsOfConnection(
  tx: OrgTx,
  context: Pick<Context, 'jobs'>,
  connectionId: string,
): Promise<void> {
  for (const jobId of await cancelJobsOf(tx, connectionId))
    await enqueuePush(tx, context, connectionId, jobId)
}

const enqueuePush = (tx: OrgTx, { jobs }: Pick<Context, 'jobs'>, connectionId: string, jobId: string) =>
  jobs.enqueue(tx, pushPeople, { org_id: tx.orgId, job_id: jobId, connection_id: connectionId })

async function insertJob(
  tx: OrgTx,
  context: Pick<Context, 'jobs'>,
  asked: { kind: JobKind; connectionId: string; confirmed: boolean; selection: PushSelection },
): Promise<Json> {
  const { orgId, mode, apiKeyId, memberId, connectedAppId = null } = tx.actor
  const { kind, connectionId, confirmed, selection } = asked
  const { threshold } = await readSettings(tx)
  const jobId = newId()
  await Promise.all([
    tx.run(sql`
      insert into crm_job (org_id, job_id, kind, status, connection_id, mode, selection, large_population_confirmed,
        threshold, api_key_id, member_id, connected_app_id, created_at)
      values (${orgId}, ${jobId}, ${kind}, 'queued', ${connectionId}, ${mode}, ${JSON.stringify(selection)},
        ${confirmed}, ${threshold}, ${apiKeyId}, ${memberId}, ${connectedAppId},
        ${new Date(timeOf(jobId))})`),
    recordEvents(tx, [
      { type: 'crm_job.created', objectId: jobId, data: { kind, connection_id: connectionId } },
    ]),
    enqueuePush(tx, context, connectionId, jobId),
  ])
  return findJob(tx, jobId)
}

type LockedJob = Columns<'crm_job', 'status' | 'mode' | 'kind' | 'connection_id' | 'selection'> & {
  kind: JobKind
  selection: PushSelection
  leaves_some: boolean
}

async function lockJob(tx: OrgTx, jobId: string): Promise<LockedJob> {
  const row = await tx.first(sql<LockedJob>`
    select status, mode, kind, connection_id, selection,
      failed > 0 or processed < coalesce(population, 0) as leaves_some
    from crm_job where org_id = ${tx.orgId} and job_id = ${jobId} for no key update`)
  if (!row) throw unknownJob()
  return row
}

const unknownJob = () => notFound('object_not_found', 'No CRM job of this organization has this id')
