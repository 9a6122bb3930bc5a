import { z } from 'zod'
import { type EntityType, entityTypes } from '../../matching/entity-type.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { type Job, job } from '../../platform/jobs/job.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { ScanEnded, scan } from './scan.ts'
import { finishScan, markRunning, queueScan } from './scans.ts'

const payload = z.object({ org_id: z.string(), scan_id: z.string(), entity_type: z.enum(entityTypes) })

/** After a crash, the scan starts again. Its result is the same. */
export const scanDuplicates: Job<z.output<typeof payload>> = job({
  name: 'scan_duplicates',
  payload,
  orgId: ({ org_id: orgId }) => orgId,
  serialKey: ({ org_id: orgId, entity_type: type }) => `duplicates of ${type} ${orgId}`,
  // One scan at a time: a scan uses all cores, and 0.8 GiB for a million records or 2.7 GiB for ten million.
  concurrency: 1,
  run: async (work) => {
    const { org_id: orgId, scan_id: scanId, entity_type: entityType } = work.payload
    const { context, signal } = work
    const org = work.org(orgId)
    if (!(await org.transact((tx) => markRunning(tx, scanId)))) return
    try {
      await scan({ org, context, entityType, scanId, signal })
    } catch (error) {
      if (error instanceof ScanEnded) return
      throw error
    }
    await org.transact((tx) => finishScan(tx, scanId, null))
  },
  abandoned: async ({ payload: { org_id: orgId, scan_id: scanId }, context }) => {
    const message =
      'The scan failed repeatedly. Its proposals and merges stay. See the log of the server for the reason.'
    const error = { code: 'internal_error', message } as const
    await context.database.org(orgId).transact((tx) => finishScan(tx, scanId, error))
  },
})

/**
 * @returns the id of the scan
 * @throws DomainError conflict if duplicate detection is off
 */
export async function enqueueScan(tx: OrgTx, entityType: EntityType, jobs: Jobs): Promise<string> {
  const { scanId, isNew } = await queueScan(tx, entityType)
  const payload = { org_id: tx.orgId, scan_id: scanId, entity_type: entityType }
  if (isNew) await jobs.enqueue(tx, scanDuplicates, payload)
  return scanId
}
