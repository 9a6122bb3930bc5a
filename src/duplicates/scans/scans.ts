import type { EntityType } from '../../matching/entity-type.ts'
import { newId } from '../../platform/db/new-id.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { rawSql, sql } from '../../platform/db/sql.ts'
import type { SystemScope } from '../../platform/db/system.ts'
import { conflict, notFound } from '../../platform/domain-error.ts'
import { resourceOf } from '../entities.ts'
import { isDetectionOn } from '../settings.ts'
import type { Scan, ScanError } from './schema.ts'

const seconds = (column: string) => rawSql(`floor(extract(epoch from ${column}))::float8`)
const columns = sql`scan_id, entity as entity_type, status, progress,
  json_build_object('records_read', records_read, 'pairs_compared', pairs_compared,
    'proposals_opened', proposals_opened, 'merges_applied', merges_applied) as counts,
  error, ${seconds('created_at')} as created_at, ${seconds('started_at')} as started_at,
  ${seconds('finished_at')} as finished_at`

/**
 * Queues a scan, which starts after the running one. If a scan is already queued, returns that one.
 * @throws DomainError conflict if duplicate detection is off
 */
export async function queueScan(
  tx: OrgTx,
  entityType: EntityType,
): Promise<{ scanId: string; isNew: boolean }> {
  if (!(await isDetectionOn(tx, entityType))) {
    throw conflict(
      'detection_off',
      `The detection of duplicate ${resourceOf(entityType)} is off: set ${entityType}.mode with PATCH /duplicates/settings`,
    )
  }
  for (;;) {
    const [added] = await tx.rows(sql<{ scan_id: string }>`
      insert into duplicate_scan (org_id, scan_id, entity, mode, status, api_key_id, member_id)
      values (${tx.orgId}, ${newId()}, ${entityType}, ${tx.actor.mode}, 'queued', ${tx.actor.apiKeyId},
        ${tx.actor.memberId})
      on conflict (org_id, entity) where status = 'queued' do nothing
      returning scan_id`)
    if (added) return { scanId: added.scan_id, isNew: true }
    const queued = await tx.first(sql<{ scan_id: string }>`
      select scan_id from duplicate_scan where org_id = ${tx.orgId} and entity = ${entityType} and status = 'queued'`)
    // If the queued scan has started in the meantime, queue a new one.
    if (queued) return { scanId: queued.scan_id, isNew: false }
  }
}

/** A scan as answers show it. @throws DomainError not_found */
export async function findScan(tx: OrgTx, scanId: string): Promise<Scan> {
  const scan = await tx.first(sql<Scan>`
    select ${columns} from duplicate_scan where org_id = ${tx.orgId} and scan_id = ${scanId}`)
  if (scan) return scan
  throw notFound('object_not_found', 'No scan of this organization has this id')
}

/** The newest scans first, starting after the scan `after`; null: starting with the newest. */
export function selectScans(
  tx: OrgTx,
  types: readonly EntityType[],
  page: { after: string | null; limit: number; skip: number },
): Promise<Scan[]> {
  return tx.rows(sql<Scan>`
    select ${columns} from duplicate_scan
    where org_id = ${tx.orgId} and entity = any(${types})
      and (${page.after}::uuid is null or scan_id < ${page.after}::uuid)
    order by scan_id desc limit ${page.limit} offset ${page.skip}`)
}

/** Counts the scans of these record types, including ended ones. */
export async function totalOfScans(tx: OrgTx, types: readonly EntityType[]): Promise<number> {
  const row = await tx.first(sql<{ total: number }>`
    select count(*)::int as total from duplicate_scan where org_id = ${tx.orgId} and entity = any(${types})`)
  return row?.total ?? 0
}

/** @returns false if the scan has already ended */
export async function markRunning(tx: OrgTx, scanId: string): Promise<boolean> {
  const begun = await tx.run(sql`
    update duplicate_scan set status = 'running', started_at = coalesce(started_at, now())
    where org_id = ${tx.orgId} and scan_id = ${scanId} and status in ('queued', 'running')`)
  return begun === 1
}

/** The counts contain only the proposals and merges since the last step. */
export type ScanProgress = {
  /** The share of the scan that is done, from 0 to 1. */
  progress: number
  recordsRead: number
  pairsCompared: number
  opened: number
  merged: number
}

/** Progress never decreases. @returns false if the scan has ended */
export async function saveProgress(tx: OrgTx, scanId: string, latest: ScanProgress): Promise<boolean> {
  const noted = await tx.run(sql`
    update duplicate_scan
    set progress = greatest(progress, ${latest.progress}), records_read = greatest(records_read, ${latest.recordsRead}),
      pairs_compared = greatest(pairs_compared, ${latest.pairsCompared}),
      proposals_opened = proposals_opened + ${latest.opened}, merges_applied = merges_applied + ${latest.merged}
    where org_id = ${tx.orgId} and scan_id = ${scanId} and status = 'running'`)
  return noted === 1
}

/** Ends a scan with `error`, or with success if it is null. A scan that has ended is unchanged. */
export async function finishScan(tx: OrgTx, scanId: string, error: ScanError | null): Promise<void> {
  const [status, progress] = error === null ? ['succeeded', 1] : ['failed', sql`progress`]
  await tx.run(sql`
    update duplicate_scan
    set status = ${status}, error = ${error && JSON.stringify(error)}, finished_at = now(), progress = ${progress}
    where org_id = ${tx.orgId} and scan_id = ${scanId} and status in ('queued', 'running')`)
}

/** Counts the scans of all organizations that wait or run. */
export async function countScans(scope: SystemScope): Promise<{ queued: number; running: number }> {
  const [row] = await scope.readRows(sql<{ queued: number; running: number }>`
    select count(*) filter (where status = 'queued')::int as queued,
      count(*) filter (where status = 'running')::int as running
    from duplicate_scan where status in ('queued', 'running')`)
  return row ?? { queued: 0, running: 0 }
}
