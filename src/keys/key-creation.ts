import { type CallerRights, lockCallerRights } from '../auth/caller-rights.ts'
import { allows, covers } from '../auth/permissions.ts'
import type { Caller } from '../platform/caller.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { forbidden } from '../platform/domain-error.ts'

/** The rights of a key: its permissions, and whether it can act on clients. */
export type KeyRights = { isAgency: boolean; permissions: readonly string[] | null }

/** The org that is responsible for a new key, and the key or member that requested it. */
export type Creator = {
  keyOrgId: string
  apiKeyId: string | null
  memberId: string | null
  isBelowOwner: boolean
}

/**
 * Requires that the caller has all rights of the new key. The caller's stored permissions count, not the cached ones.
 * @throws DomainError unauthenticated, forbidden
 */
export async function requireKeyCreation(tx: OrgTx, caller: Caller, reach: KeyRights): Promise<Creator> {
  const held = await requireGrantable(tx, caller, reach.permissions)
  if (reach.isAgency && !caller.reachesClients && !allows(held.permissions, 'agency:manage')) {
    throw forbidden(
      'permission_not_grantable',
      'An agency key has more access than this API key, which lacks the permission agency:manage; use an agency key, or a key that has this permission',
    )
  }
  const { made_by_org_id: keyOrgId, is_below_owner: isBelowOwner } = held
  return { keyOrgId, apiKeyId: caller.apiKeyId, memberId: caller.memberId, isBelowOwner }
}

/**
 * Requires that a caller may manage keys, and now has all `permissions`.
 * @throws DomainError unauthenticated, forbidden
 */
export async function requireGrantable(
  tx: OrgTx,
  caller: Caller,
  permissions: readonly string[] | null,
): Promise<CallerRights> {
  const held = await lockCallerRights(tx, caller, 'api_keys:manage')
  if (!covers(held.permissions, permissions)) {
    throw forbidden(
      'permission_not_grantable',
      'A key cannot give a key more permissions than it has itself; ask for permissions that this key has, or use a stronger key',
    )
  }
  return held
}
