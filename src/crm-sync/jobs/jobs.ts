import { v7 } from 'uuid'
import { recordEventsBy } from '../../events/record.ts'
import type { Actor } from '../../platform/actor.ts'
import type { Context } from '../../platform/context.ts'
import { JsonColumns, type TextRow } from '../../platform/db/json-columns.ts'
import type { Org } from '../../platform/db/org.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { asText, sql } from '../../platform/db/sql.ts'
import { timeOf } from '../../platform/db/uuid-time.ts'
import { conflict, notFound } from '../../platform/domain-error.ts'
import type { Cursors } from '../../platform/http/cursor.ts'
import type { Pagination } from '../../platform/http/endpoint.ts'
import { Json } from '../../platform/json.ts'
import { Filter, readPage } from '../../platform/page.ts'
import { namedConnection, requireKind } from '../connections.ts'
import type { ItemQuery, JobKind, JobQuery, Outcome, Push } from '../schema.ts'
import { readSettings } from '../settings.ts'
import { cancelJobsOf, cancelOne, kindOf, type Selection } from './life.ts'
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
  // Of those who failed and were erased, nothing is left of what was said.
  error: 'json',
})

/** The org's jobs, newest first. */
export function listJobs(
  org: Org,
  cursors: Cursors,
  query: JobQuery,
): Promise<{ rows: Json; pagination: Pagination }> {
  const { connection_id, status } = query
  const filter = new Filter(org.orgId, 'j')
    .where(connection_id, (p) => sql`j.connection_id = ${p}`)
    .where(status, (p) => sql`j.status = ${p}`)
  const total = sql`select count(*) from crm_job j where ${filter.conditions}`
  const list = JSON.stringify(['crm jobs', connection_id, status])
  return readPage(org, cursors, { list, from: sql`crm_job j`, id: sql`j.job_id`, wire, filter, total }, query)
}

/** Outcomes of which there is always an error, by which they are found quickly. */
const withError: ReadonlySet<Outcome> = new Set(['failed', 'skipped'])

/** The people of a job, by contact. @throws DomainError not_found */
export async function listItems(
  org: Org,
  cursors: Cursors,
  jobId: string,
  query: ItemQuery,
): Promise<{ rows: Json; pagination: Pagination }> {
  await org.read((tx) => findJob(tx, org.orgId, jobId))
  const { outcome } = query
  const filter = new Filter(org.orgId, 'i')
    .where(jobId, (p) => sql`i.job_id = ${p}`)
    .where(outcome, (p) => sql`i.outcome = ${p} ${withError.has(p) ? sql`and i.error is not null` : sql``}`)
  const total = sql`select count(*) from crm_job_item i where ${filter.conditions}`
  const list = JSON.stringify(['crm job items', jobId, outcome])
  const source = { list, from: sql`crm_job_item i`, id: sql`i.contact_id`, wire: itemWire, filter, total }
  return readPage(org, cursors, source, query)
}

/** @throws DomainError not_found */
export async function findJob(tx: OrgTx, orgId: string, jobId: string): Promise<Json> {
  const found = sql<TextRow>`select ${wire.columns} from crm_job j where j.org_id = ${orgId} and j.job_id = ${jobId}`
  const [row] = await tx.rows(asText(found))
  if (!row) throw unknownJob()
  return new Json(wire.object(row, 0))
}

/**
 * Asks for people to be pushed. The job and its work commit together, or not at all.
 * @throws DomainError not_found without such a connection; invalid if its CRM has no Leads
 */
export async function createJob(
  tx: OrgTx,
  actor: Actor,
  context: Context,
  kind: JobKind,
  {
    connection_id: connectionId,
    large_population_confirmed: confirmed,
    resend_unchanged: resends,
    contact_ids,
    filter,
  }: Push,
): Promise<Json> {
  const connection = await namedConnection(tx, actor.orgId, connectionId, held)
  requireKind(connection, kindOf[kind])
  const selected = contact_ids ? { contact_ids } : filter ? { filter } : {}
  const selection: Selection = { ...selected, ...(resends && { resend_unchanged: true }) }
  return insertJob(tx, actor, context, { kind, connectionId, confirmed, selection })
}

/** Nobody deletes it meanwhile. */
const held = { lock: 'for key share' }

/** A job of those that failed in another, or were not reached. @throws DomainError not_found; conflict if there are none, it runs, or is of the other mode */
export async function retryJob(tx: OrgTx, actor: Actor, context: Context, jobId: string): Promise<Json> {
  const job = await holdJob(tx, actor.orgId, jobId)
  // What was agreed to was the sandbox.
  if (job.mode !== actor.mode)
    throw conflict(`This is a job of ${job.mode} mode, as its retry would be: use a ${job.mode} key`)
  if (job.status === 'queued' || job.status === 'running')
    throw conflict('This job has not ended: cancel it, or wait until it has')
  if (job.status === 'refused') {
    throw conflict(
      'This job was refused, as it would push more people than the threshold: push again with "large_population_confirmed": true',
    )
  }
  if (!job.leaves_some) throw conflict('Nobody failed in this job: there is nothing to try again')
  await namedConnection(tx, actor.orgId, job.connection_id, held)
  const { kind, connection_id: connectionId, selection: before } = job
  const selection = { retry_of: jobId, ...(before.resend_unchanged && { resend_unchanged: true }) }
  // They are no more than were agreed to.
  return insertJob(tx, actor, context, { kind, connectionId, confirmed: true, selection })
}

/** Ends a job before its next batch. @throws DomainError not_found; conflict if it has ended otherwise, or is none of a test key's */
export async function cancelJob(
  tx: OrgTx,
  { orgId, mode }: Actor,
  context: Pick<Context, 'jobs'>,
  jobId: string,
): Promise<Json> {
  const { status, connection_id: connectionId, ...job } = await holdJob(tx, orgId, jobId)
  if (job.mode === 'live' && mode === 'test')
    throw conflict('This is a job of live mode, which a key of test mode cannot end: use a live key')
  if (status !== 'canceled' && status !== 'queued' && status !== 'running')
    throw conflict(`This job has ended already: it is ${status}`)
  if (await cancelOne(tx, orgId, jobId)) await endSoon(tx, context, orgId, connectionId, jobId)
  return findJob(tx, orgId, jobId)
}

/** Ends the jobs of a connection that is deleted before their next batches. */
export async function cancelAllOf(
  tx: OrgTx,
  { orgId }: Actor,
  context: Pick<Context, 'jobs'>,
  connectionId: string,
): Promise<void> {
  for (const jobId of await cancelJobsOf(tx, orgId, connectionId))
    await endSoon(tx, context, orgId, connectionId, jobId)
}

/** One that waits for its CRM would go on waiting. */
const endSoon = (
  tx: OrgTx,
  { jobs }: Pick<Context, 'jobs'>,
  orgId: string,
  connectionId: string,
  jobId: string,
) => jobs.enqueue(tx, pushPeople, { org_id: orgId, job_id: jobId, connection_id: connectionId })

async function insertJob(
  tx: OrgTx,
  actor: Actor,
  context: Context,
  asked: { kind: JobKind; connectionId: string; confirmed: boolean; selection: Selection },
): Promise<Json> {
  const { orgId, mode, apiKeyId } = actor
  const { threshold } = await readSettings(tx, orgId)
  const jobId = v7()
  await Promise.all([
    tx.run({
      text: `
        insert into crm_job (org_id, job_id, kind, status, connection_id, mode, selection, large_population_confirmed,
          threshold, api_key_id, created_at)
        values ($1, $2, $3, 'queued', $4, $5, $6, $7, $8, $9, $10)`,
      values: [
        ...[orgId, jobId, asked.kind, asked.connectionId, mode, JSON.stringify(asked.selection)],
        ...[asked.confirmed, threshold, apiKeyId, new Date(timeOf(jobId))],
      ],
    }),
    recordEventsBy(tx, actor, [
      {
        type: 'crm_job.created',
        objectId: jobId,
        data: { kind: asked.kind, connection_id: asked.connectionId },
      },
    ]),
    context.jobs.enqueue(tx, pushPeople, { org_id: orgId, job_id: jobId, connection_id: asked.connectionId }),
  ])
  return findJob(tx, orgId, jobId)
}

type Held = {
  status: string
  mode: Actor['mode']
  kind: JobKind
  connection_id: string
  selection: Selection
  leaves_some: boolean
}

async function holdJob(tx: OrgTx, orgId: string, jobId: string): Promise<Held> {
  const row = await tx.first<Held>({
    text: `
      select status, mode, kind, connection_id, selection,
        failed > 0 or processed < coalesce(population, 0) as leaves_some
      from crm_job
      where org_id = $1 and job_id = $2 for no key update`,
    values: [orgId, jobId],
  })
  if (!row) throw unknownJob()
  return row
}

const unknownJob = () => notFound('No CRM job of this organization has this id')
