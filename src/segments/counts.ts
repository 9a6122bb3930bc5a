import { z } from 'zod'
import type { EntityType } from '../matching/entity-type.ts'
import { lockExclusive } from '../platform/db/advisory-lock.ts'
import { isStatementTimeout } from '../platform/db/errors.ts'
import type { Org } from '../platform/db/org.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { rawSql, type Sql, sql } from '../platform/db/sql.ts'
import { DomainError } from '../platform/domain-error.ts'
import { ValidationError } from '../platform/http/validation.ts'
import type { JobIdentity } from '../platform/jobs/identity.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import { countRecords } from '../records/count-records.ts'
import { recordTypes } from './entities.ts'

// A segment is counted in the background after somebody reads it. A request never waits for a count.

/** A count is renewed after a minute at the earliest, and after 20 times the time that it took. */
const renewal = rawSql(`greatest(interval '1 minute', interval '20 milliseconds' * coalesce(count_ms, 0))`)
/** If a request for a count is older than this, its job may have failed. */
const askedMax = rawSql(`interval '10 minutes'`)
/** PostgreSQL stops a count after this time. */
const countMsMax = 10_000
/** After this much counting in a minute, the organization's other counts wait for the next minute. */
const countMsInMinute = 10_000

const payload = z.object({ org_id: z.string() })
export type CountPayload = z.output<typeof payload>

/** Counts the segments of an organization for which a count was requested, one after another. */
export const countSegmentsJob: JobIdentity<CountPayload> = {
  name: 'count_segments',
  payload,
  orgId: ({ org_id: orgId }) => orgId,
  serialKey: ({ org_id: orgId }) => `segment counts ${orgId}`,
}

/** Requests new counts of the segments whose counts are missing or old. */
export async function renewCounts(org: Org, jobs: Jobs, segmentIds: readonly string[]): Promise<void> {
  const isDue = sql`org_id = ${org.orgId} and segment_id = any (${segmentIds}::uuid[])
    and (count_asked_at is null or count_asked_at < now() - ${askedMax})
    and (counted_at is null or counted_at < now() - ${renewal})`
  const due = await org.readRows(sql`select from segment where ${isDue} limit 1`)
  if (due.length > 0)
    await org.transact((tx) => request(tx, jobs, sql`select segment_id from segment where ${isDue}`))
}

/** Requests the first count of a filter. */
export async function requestCount(tx: OrgTx, jobs: Jobs, segmentId: string): Promise<void> {
  await tx.run(sql`
    update segment set count = null, counted_at = null, count_ms = null
    where org_id = ${tx.orgId} and segment_id = ${segmentId}`)
  const itself = sql`select segment_id from segment where org_id = ${tx.orgId} and segment_id = ${segmentId}`
  await request(tx, jobs, itself)
}

/** Locks segments in the order of their ids, and then the lock of counts: requests and jobs would deadlock otherwise. */
async function request(tx: OrgTx, jobs: Jobs, segments: Sql): Promise<void> {
  const marked = await tx.rows(sql<{ segment_id: string }>`
    update segment set count_asked_at = now() where org_id = ${tx.orgId} and segment_id in (
      select segment_id from (${segments} order by segment_id for no key update) as asked)
    returning segment_id`)
  await lockCounts(tx)
  const ids = marked.map((each) => each.segment_id)
  const earlier = await tx.first(sql`
    select from segment where org_id = ${tx.orgId} and count_asked_at >= now() - ${askedMax}
      and segment_id <> all (${ids}::uuid[]) limit 1`)
  if (!earlier) await jobs.enqueue(tx, countSegmentsJob, { org_id: tx.orgId })
}

/** Lock: the job of an earlier request must not end while a request decides that this job also counts for it. */
const lockCounts = (tx: OrgTx) => lockExclusive(tx, `segment counts ${tx.orgId}`)

type Requested = { segment_id: string; entity: EntityType; version: number }
type Counted = { count: number | null; ms: number | null }

/**
 * Counts until no request is left, or until the organization has used its time of this minute.
 * @param msMax PostgreSQL stops a count after this time
 */
export async function runCounts(
  org: Org,
  jobs: Pick<Jobs, 'enqueue'>,
  signal: AbortSignal,
  msMax: number = countMsMax,
): Promise<void> {
  let next = await org.transact((tx) => nextRequest(tx, jobs))
  while (next) {
    signal.throwIfAborted()
    const { segment_id: segmentId, entity, version } = next
    const counted = await count(org, entity, segmentId, msMax)
    next = await org.transact(async (tx) => {
      // If the segment changed meanwhile, its request stays.
      await tx.run(sql`
        update segment
        set count = ${counted.count}, count_ms = ${counted.ms}, counted_at = clock_timestamp(), count_asked_at = null
        where org_id = ${tx.orgId} and segment_id = ${segmentId} and version = ${version}`)
      await lockCounts(tx)
      return nextRequest(tx, jobs)
    })
  }
}

/** Returns the oldest request. If no time of this minute is left, enqueues the job for later, and returns none. */
async function nextRequest(tx: OrgTx, jobs: Pick<Jobs, 'enqueue'>): Promise<Requested | undefined> {
  const next = await tx.first(sql<Requested>`
    select segment_id, entity, version from segment
    where org_id = ${tx.orgId} and count_asked_at is not null order by count_asked_at, segment_id limit 1`)
  if (!next) return undefined
  const recent = await tx.first(sql<{ ms: number; first: Date }>`
    select coalesce(sum(count_ms), 0)::int as ms, min(counted_at) as first from segment
    where org_id = ${tx.orgId} and counted_at > now() - interval '1 minute'`)
  if (!recent || recent.ms < countMsInMinute) return next
  const startAfter = new Date(recent.first.getTime() + 60_000)
  await jobs.enqueue(tx, countSegmentsJob, { org_id: tx.orgId }, { startAfter })
  return undefined
}

/** The number is null if PostgreSQL stopped the count. The time is null too if the filter is not valid any more. */
async function count(org: Org, entity: EntityType, segmentId: string, msMax: number): Promise<Counted> {
  const startedAt = performance.now()
  const ms = () => Math.ceil(performance.now() - startedAt)
  try {
    const records = await org.read(async (tx) => {
      await tx.rows(sql`select set_config('statement_timeout', ${`${msMax}ms`}, true)`)
      return countRecords(org.within(tx), recordTypes[entity], { segment_id: segmentId })
    })
    return { count: records, ms: ms() }
  } catch (error) {
    if (isStatementTimeout(error)) return { count: null, ms: ms() }
    const isGone = error instanceof DomainError && error.kind === 'not_found'
    if (error instanceof ValidationError || isGone) return { count: null, ms: null }
    throw error
  }
}
