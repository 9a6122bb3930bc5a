import { z } from 'zod'
import type { Actor } from '../../events/record.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { type Job, job } from '../../platform/jobs/job.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { type EntityType, entityTypes } from '../entities.ts'
import { Superseded, scan } from './scan.ts'
import { askForScan, beginScan, endScan } from './scans.ts'

const payload = z.object({ org_id: z.string(), scan_id: z.string(), entity_type: z.enum(entityTypes) })

/** Looks through an org's records for duplicates; started again after a crash, it comes to the same end. */
export const scanDuplicates: Job<z.output<typeof payload>> = job({
  name: 'scan_duplicates',
  payload,
  orgId: ({ org_id: orgId }) => orgId,
  serialKey: ({ org_id: orgId, entity_type: type }) => `duplicates of ${type} ${orgId}`,
  // Each takes up to a gigabyte, and all cores.
  concurrency: 1,
  run: async ({ payload: { org_id: orgId, scan_id: scanId, entity_type: entityType }, context, signal }) => {
    const org = context.database.org(orgId)
    if (!(await org.transact((tx) => beginScan(tx, orgId, scanId)))) return
    try {
      await scan({ org, context, entityType, scanId, signal })
    } catch (error) {
      if (error instanceof Superseded) return
      throw error
    }
    await org.transact((tx) => endScan(tx, orgId, scanId, null))
  },
  abandoned: async ({ payload: { org_id: orgId, scan_id: scanId }, context }) => {
    const error =
      'The scan broke off again and again; what it proposed and merged stands. The server’s log says why.'
    await context.database.org(orgId).transact((tx) => endScan(tx, orgId, scanId, error))
  },
})

/** Has an org's records looked through in the background; the id of the scan. @throws Problem 409 */
export async function startScan(tx: Tx, actor: Actor, entityType: EntityType, jobs: Jobs): Promise<string> {
  const { scanId, isNew } = await askForScan(tx, actor, entityType)
  const payload = { org_id: actor.orgId, scan_id: scanId, entity_type: entityType }
  if (isNew) await jobs.enqueue(tx, scanDuplicates, payload)
  return scanId
}
