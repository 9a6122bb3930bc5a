import { type CallerKey, lockCallerKey } from '../auth/caller-key.ts'
import { allows, covers } from '../auth/permissions.ts'
import type { Caller } from '../platform/caller.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { forbidden } from '../platform/domain-error.ts'

/** The permissions of a key, and whether it can act on clients. */
export type Reach = { isAgency: boolean; permissions: readonly string[] | null }

/** The creator of a new key: the org that is responsible for it, and the key that asked for it. */
export type Creator = { keyOrgId: string; apiKeyId: string }

/**
 * Requires that a caller may create a key with this reach: no key may create a key that may do more than itself. The
 * current permissions of the caller's key count, not the cached ones.
 * @throws DomainError unauthenticated, forbidden
 */
export async function requireMinting(tx: OrgTx, caller: Caller, reach: Reach): Promise<Creator> {
  const held = await requireGranting(tx, caller, reach.permissions)
  if (reach.isAgency && !caller.isAgencyKey && !allows(held.permissions, 'agency:manage')) {
    throw forbidden(
      'permission_not_grantable',
      'An agency key has more access than this API key, which lacks the permission agency:manage; use an agency key, or a key that has this permission',
    )
  }
  return { keyOrgId: held.made_by_org_id, apiKeyId: caller.apiKeyId }
}

/**
 * Requires that a caller may manage keys, and that its key currently has all `permissions`.
 * @throws DomainError unauthenticated, forbidden
 */
export async function requireGranting(
  tx: OrgTx,
  caller: Caller,
  permissions: readonly string[] | null,
): Promise<CallerKey> {
  const held = await lockCallerKey(tx, caller, 'api_keys:manage')
  if (!covers(held.permissions, permissions)) {
    throw forbidden(
      'permission_not_grantable',
      'A key cannot give a key more permissions than it has itself; ask for permissions that this key has, or use a stronger key',
    )
  }
  return held
}
