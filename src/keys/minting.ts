import { allows, covers, requirePermission } from '../auth/permissions.ts'
import type { Caller } from '../platform/caller.ts'
import type { Tx } from '../platform/db/tx.ts'
import { forbidden, Problem } from '../platform/http/problem.ts'

/** What a key can reach. */
export type Reach = { isAgency: boolean; permissions: readonly string[] | null }

/** Who stands behind a new key: the org that made it or its maker, and the key that asked. */
export type Maker = { keyOrgId: string; apiKeyId: string }

/**
 * Refuses a caller that would get hold of a key with more than its own has, as its own stands now and not as
 * authentication remembers it.
 * @throws Problem 401, 403
 */
export async function requireMinting(tx: Tx, caller: Caller, reach: Reach): Promise<Maker> {
  const held = await requireGranting(tx, caller, reach.permissions)
  if (reach.isAgency && !caller.isAgencyKey && !allows(held.permissions, 'agency:manage')) {
    throw forbidden(
      'An agency key reaches further than this API key, which lacks the permission agency:manage; use an agency key, or one that has it',
    )
  }
  return { keyOrgId: held.made_by_org_id, apiKeyId: caller.apiKeyId }
}

/** Refuses a caller that may no more manage keys, or would grant more than its own key has now. @throws Problem 401, 403 */
export async function requireGranting(
  tx: Tx,
  caller: Caller,
  permissions: readonly string[] | null,
): Promise<Held> {
  const held = await tx.first<Held>({
    text: 'select permissions, may_act, made_by_org_id from app.hold_key($1, $2)',
    values: [caller.keyOrgId, caller.apiKeyId],
  })
  if (!held) {
    throw new Problem(
      401,
      'This API key was deleted or has expired a moment ago; use Authorization: Bearer <api_key> with a key of your organization',
      { 'www-authenticate': 'Bearer' },
    )
  }
  if (!held.may_act) {
    throw forbidden(
      'X-Target-Org-Id names an organization that left the set of this agency a moment ago; GET /agency/clients lists the clients that it may act on',
    )
  }
  requirePermission({ ...caller, permissions: held.permissions }, 'api_keys:manage')
  if (!covers(held.permissions, permissions)) {
    throw forbidden(
      'A key cannot give a key more permissions than it has itself; ask for permissions that this key has, or use a stronger key',
    )
  }
  return held
}

type Held = { permissions: string[] | null; may_act: boolean; made_by_org_id: string }
