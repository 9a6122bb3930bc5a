import { v7 } from 'uuid'
import type { EntityType } from '../../matching/entity-type.ts'
import type { Actor } from '../../platform/actor.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import type { SystemScope } from '../../platform/db/system.ts'
import { conflict, notFound } from '../../platform/domain-error.ts'
import { resourceOf } from '../entities.ts'
import { isDetectionOn } from '../settings.ts'
import type { Scan, ScanError } from './schema.ts'

const seconds = (column: string) => `floor(extract(epoch from ${column}))::float8`
const columns = `scan_id, entity as entity_type, status, progress,
  json_build_object('records_read', records_read, 'pairs_compared', pairs_compared,
    'proposals_opened', proposals_opened, 'merges_applied', merges_applied) as counts,
  error, ${seconds('created_at')} as created_at, ${seconds('started_at')} as started_at,
  ${seconds('finished_at')} as finished_at`

/**
 * Queues a scan, which starts after one that runs. If a scan is queued already, it returns that one.
 * @throws DomainError conflict if the detection of duplicates is off
 */
export async function queueScan(
  tx: OrgTx,
  actor: Actor,
  entityType: EntityType,
): Promise<{ scanId: string; isNew: boolean }> {
  const { orgId, apiKeyId, mode } = actor
  if (!(await isDetectionOn(tx, orgId, entityType))) {
    throw conflict(
      `The detection of duplicate ${resourceOf(entityType)} is off: set ${entityType}.mode with PATCH /duplicates/settings`,
    )
  }
  for (;;) {
    const [added] = await tx.rows<{ scan_id: string }>({
      text: `
        insert into duplicate_scan (org_id, scan_id, entity, mode, status, api_key_id)
        values ($1, $2, $3, $4, 'queued', $5)
        on conflict (org_id, entity) where status = 'queued' do nothing
        returning scan_id`,
      values: [orgId, v7(), entityType, mode, apiKeyId],
    })
    if (added) return { scanId: added.scan_id, isNew: true }
    const queued = await tx.first<{ scan_id: string }>({
      text: `select scan_id from duplicate_scan where org_id = $1 and entity = $2 and status = 'queued'`,
      values: [orgId, entityType],
    })
    // The queued scan has started in the meantime: queue a new one.
    if (queued) return { scanId: queued.scan_id, isNew: false }
  }
}

/** A scan of this org. @throws DomainError not_found */
export async function findScan(tx: OrgTx, orgId: string, scanId: string): Promise<Scan> {
  const scan = await tx.first<Scan>({
    text: `select ${columns} from duplicate_scan where org_id = $1 and scan_id = $2`,
    values: [orgId, scanId],
  })
  if (scan) return scan
  throw notFound('No scan of this organization has this id')
}

/** Scans of these record types, newest first, after the scan `after` (null: from the newest). */
export function selectScans(
  tx: OrgTx,
  orgId: string,
  types: readonly EntityType[],
  page: { after: string | null; limit: number; skip: number },
): Promise<Scan[]> {
  return tx.rows<Scan>({
    text: `
      select ${columns} from duplicate_scan
      where org_id = $1 and entity = any($2) and ($3::uuid is null or scan_id < $3)
      order by scan_id desc limit $4 offset $5`,
    values: [orgId, types, page.after, page.limit, page.skip],
  })
}

/** How many scans of these record types there are. */
export async function totalOfScans(tx: OrgTx, orgId: string, types: readonly EntityType[]): Promise<number> {
  const row = await tx.first<{ total: number }>({
    text: 'select count(*)::int as total from duplicate_scan where org_id = $1 and entity = any($2)',
    values: [orgId, types],
  })
  return row?.total ?? 0
}

/** Marks a scan as running. @returns false if it has ended already */
export async function markRunning(tx: OrgTx, orgId: string, scanId: string): Promise<boolean> {
  const begun = await tx.run({
    text: `
      update duplicate_scan set status = 'running', started_at = coalesce(started_at, now())
      where org_id = $1 and scan_id = $2 and status in ('queued', 'running')`,
    values: [orgId, scanId],
  })
  return begun === 1
}

/** The progress of a scan, with what it opened and merged since the last step. */
export type Step = {
  /** 0 to 1. */
  progress: number
  recordsRead: number
  pairsCompared: number
  opened: number
  merged: number
}

/** Saves the progress of a scan, which never decreases. @returns false if the scan has ended */
export async function saveProgress(tx: OrgTx, orgId: string, scanId: string, step: Step): Promise<boolean> {
  const noted = await tx.run({
    text: `
      update duplicate_scan
      set progress = greatest(progress, $3), records_read = greatest(records_read, $4),
        pairs_compared = greatest(pairs_compared, $5), proposals_opened = proposals_opened + $6,
        merges_applied = merges_applied + $7
      where org_id = $1 and scan_id = $2 and status = 'running'`,
    values: [orgId, scanId, step.progress, step.recordsRead, step.pairsCompared, step.opened, step.merged],
  })
  return noted === 1
}

/** Marks a scan as succeeded, or as failed with `error`. A scan that has ended does not change. */
export async function finishScan(
  tx: OrgTx,
  orgId: string,
  scanId: string,
  error: ScanError | null,
): Promise<void> {
  await tx.run({
    text: `
      update duplicate_scan
      set status = $3, error = $4, finished_at = now(), progress = case when $4::json is null then 1 else progress end
      where org_id = $1 and scan_id = $2 and status in ('queued', 'running')`,
    values: [orgId, scanId, error === null ? 'succeeded' : 'failed', error && JSON.stringify(error)],
  })
}

/** How many scans are queued and running, over all orgs. */
export async function countScans(scope: SystemScope): Promise<{ queued: number; running: number }> {
  const [row] = await scope.readRows<{ queued: number; running: number }>({
    text: `
      select count(*) filter (where status = 'queued')::int as queued,
        count(*) filter (where status = 'running')::int as running
      from duplicate_scan where status in ('queued', 'running')`,
    values: [],
  })
  return row ?? { queued: 0, running: 0 }
}
