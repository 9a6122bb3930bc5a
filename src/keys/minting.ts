import { type HeldKey, holdKey } from '../auth/held-key.ts'
import { allows, covers } from '../auth/permissions.ts'
import type { Caller } from '../platform/caller.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { forbidden } from '../platform/domain-error.ts'

/** What a key can reach. */
export type Reach = { isAgency: boolean; permissions: readonly string[] | null }

/** Who stands behind a new key: the org that made it or its maker, and the key that asked. */
export type Maker = { keyOrgId: string; apiKeyId: string }

/**
 * Refuses a caller that would get hold of a key with more than its own has, as its own stands now and not as
 * authentication remembers it.
 * @throws DomainError unauthenticated, forbidden
 */
export async function requireMinting(tx: OrgTx, caller: Caller, reach: Reach): Promise<Maker> {
  const held = await requireGranting(tx, caller, reach.permissions)
  if (reach.isAgency && !caller.isAgencyKey && !allows(held.permissions, 'agency:manage')) {
    throw forbidden(
      'permission_not_grantable',
      'An agency key reaches further than this API key, which lacks the permission agency:manage; use an agency key, or one that has it',
    )
  }
  return { keyOrgId: held.made_by_org_id, apiKeyId: caller.apiKeyId }
}

/** Refuses a caller that may no more manage keys, or would grant more than its own key has now. @throws DomainError unauthenticated, forbidden */
export async function requireGranting(
  tx: OrgTx,
  caller: Caller,
  permissions: readonly string[] | null,
): Promise<HeldKey> {
  const held = await holdKey(tx, caller, 'api_keys:manage')
  if (!covers(held.permissions, permissions)) {
    throw forbidden(
      'permission_not_grantable',
      'A key cannot give a key more permissions than it has itself; ask for permissions that this key has, or use a stronger key',
    )
  }
  return held
}
