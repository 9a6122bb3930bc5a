import type { Caller } from '../platform/caller.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { sql } from '../platform/db/sql.ts'
import { forbidden, unauthenticated } from '../platform/domain-error.ts'
import { requirePermission } from './permissions.ts'

/** The current permissions of the caller's key, and the org that is responsible for the things that the key creates. */
export type CallerKey = { permissions: string[] | null; made_by_org_id: string }

/**
 * Reads and locks the caller's key, so that its permissions stay the same until the transaction ends. The permissions
 * of the request may be cached. Use this for keys that outlive the caller's key, and after a long upload.
 * @throws DomainError unauthenticated if the key is gone; forbidden if it may no longer act on this org or lacks the
 * permission
 */
export async function lockCallerKey(tx: OrgTx, caller: Caller, permission: string): Promise<CallerKey> {
  const held = await tx.first(sql<CallerKey & { may_act: boolean }>`
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
