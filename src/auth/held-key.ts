import type { Caller } from '../platform/caller.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { sql } from '../platform/db/sql.ts'
import { forbidden, unauthenticated } from '../platform/domain-error.ts'
import { requirePermission } from './permissions.ts'

/** What the caller's key may do by now, and the org that stands behind what it makes. */
export type HeldKey = { permissions: string[] | null; made_by_org_id: string }

/**
 * The caller's key as it stands now, and not as authentication remembers it; it stays so to the end of the
 * transaction. For what outlives the key, or comes long after the gate let the request in.
 * @throws DomainError unauthenticated, forbidden if the key is gone, may no more act on this org, or lacks the permission by now
 */
export async function holdKey(tx: OrgTx, caller: Caller, permission: string): Promise<HeldKey> {
  const held = await tx.first(sql<HeldKey & { may_act: boolean }>`
    select permissions, may_act, made_by_org_id from app.hold_key(${caller.keyOrgId}, ${caller.apiKeyId})`)
  if (!held) {
    throw forbidden(
      'client_not_linked',
      'X-Target-Org-Id names an organization that is no longer a client of this agency; GET /agency/clients lists the clients that it may act on',
    )
  }
  if (!held.may_act) {
    throw unauthenticated(
      'api_key_unknown',
      'This API key was deleted or has expired; use Authorization: Bearer <api_key> with a key of your organization',
    )
  }
  requirePermission({ ...caller, permissions: held.permissions }, permission)
  return held
}
