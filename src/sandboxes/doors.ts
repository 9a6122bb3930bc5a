import { sql } from '../platform/db/sql.ts'
import type { Tx } from '../platform/db/tx.ts'

/**
 * Ends all access to a deleted sandbox, and all its requests to other services: its API keys and write keys, its forms,
 * and its webhook endpoints. Its rows are deleted later.
 */
export async function closeDoors(tx: Tx, sandboxOrgId: string): Promise<void> {
  await tx.run(sql`delete from write_key where org_id = ${sandboxOrgId}`)
  await tx.run(sql`
    update form set status = 'archived' where org_id = ${sandboxOrgId} and status <> 'archived'`)
  // The version tells running deliveries to stop.
  await tx.run(sql`
    update webhook_endpoint set status = 'disabled', disabled_reason = 'by_request', disabled_at = now(),
      next_probe_at = null, version = version + 1
    where org_id = ${sandboxOrgId} and status <> 'disabled'`)
  await endKeys(tx, sandboxOrgId)
}

/** Ends keys until none is left: a key can create another one while it is being deleted. */
async function endKeys(tx: Tx, sandboxOrgId: string): Promise<void> {
  let ended: number
  do ended = await tx.run(sql`delete from api_key where org_id = ${sandboxOrgId}`)
  while (ended > 0)
}
