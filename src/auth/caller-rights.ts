import type { Caller } from '../platform/caller.ts'
import type { Database } from '../platform/db/database.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { sql } from '../platform/db/sql.ts'
import { type DomainError, forbidden, unauthenticated } from '../platform/domain-error.ts'
import type { RightsCheck } from '../platform/http/route.ts'
import { allows, requirePermission } from './permissions.ts'
import { permissionsOf, type Role } from './roles.ts'

export type CallerRights = {
  /** The current permissions of the caller. */
  permissions: readonly string[] | null
  /** The org that is responsible for what the caller creates. */
  made_by_org_id: string
  /** True for a member who is not an owner, and for keys that came from such a member. */
  is_below_owner: boolean
}

/**
 * Locks the caller's key, app, or session and role, and reads its permissions, which cannot change until the
 * transaction ends. The request's own permissions may come from a cache. Call this function before the request creates
 * something that outlives the key, before a call that a person approved runs, and after a long upload.
 * @param permission the needed permission; of several, one is enough
 * @throws DomainError unauthenticated if the key, app or session is gone; forbidden if it may no longer act on this org
 * or lacks the permission
 */
export async function lockCallerRights(
  tx: OrgTx,
  caller: Caller,
  permission: string | readonly string[],
): Promise<CallerRights> {
  const held = await hold(tx, caller)
  requirePermission({ ...caller, permissions: held.permissions }, permission)
  return held
}

/** Returns the check of `lockCallerRights` in a transaction of its own, for requests that take long. */
export const rightsCheck =
  (database: Database): RightsCheck =>
  (caller, permission) =>
    database.org(caller.orgId, caller).transact(async (tx) => {
      if (permission === null) await hold(tx, caller)
      else await lockCallerRights(tx, caller, permission)
    })

function hold(tx: OrgTx, caller: Caller): Promise<CallerRights> {
  if (caller.memberId === null) return holdKey(tx, caller)
  return caller.connectedAppId === undefined
    ? holdMember(tx, caller)
    : holdApp(tx, caller, caller.connectedAppId)
}

async function holdKey(tx: OrgTx, { homeOrgId, apiKeyId }: Caller): Promise<CallerRights> {
  const held = await tx.first(sql<CallerRights & { may_act: boolean }>`
    select permissions, may_act, made_by_org_id, is_below_owner from app.hold_key(${homeOrgId}, ${apiKeyId})`)
  if (!held) throw unlinked('X-Target-Org-Id')
  if (held.may_act) return held
  throw unauthenticated(
    'api_key_unknown',
    'This API key was deleted or has expired; use Authorization: Bearer <api_key> with a key of your organization',
  )
}

type Membership = { role: Role; permissions: string[] | null; may_act: boolean }

async function holdMember(
  tx: OrgTx,
  { homeOrgId, memberId, sessionId, recordAccess }: Caller,
): Promise<CallerRights> {
  const held = await tx.first(sql<Membership>`
    select role, permissions, may_act from app.hold_member(${homeOrgId}, ${memberId}, ${sessionId})`)
  if (!held) throw unlinked('X-Org-Id')
  if (held.may_act) {
    const permissions = permissionsOf(held.role, held.permissions, recordAccess)
    return { permissions, made_by_org_id: homeOrgId, is_below_owner: permissions !== null }
  }
  throw unauthenticated('session_ended', 'You are signed out, or are no longer a member; sign in again')
}

async function holdApp(tx: OrgTx, { homeOrgId, recordAccess }: Caller, appId: string): Promise<CallerRights> {
  const held = await tx.first(sql<Membership & { app_permissions: string[] }>`
    select app_permissions, role, permissions, may_act from app.hold_app(${appId})`)
  if (!held?.may_act)
    throw unauthenticated('app_disconnected', 'This app is no longer connected; connect it again')
  const granted = permissionsOf(held.role, held.permissions, recordAccess)
  const permissions = held.app_permissions.filter((permission) => allows(granted, permission))
  return { permissions, made_by_org_id: homeOrgId, is_below_owner: granted !== null }
}

const unlinked = (header: string): DomainError =>
  forbidden(
    'client_not_linked',
    `${header} names an organization that is no longer a client of this agency; GET /agency/clients lists the clients that it may act on`,
  )
