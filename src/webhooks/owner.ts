import { permissionsOf, type Role } from '../auth/roles.ts'
import type { Caller } from '../platform/caller.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { type Sql, sql } from '../platform/db/sql.ts'
import { disable } from './disable.ts'

/**
 * SQL columns that say what endpoint `e` may show: the permissions of the API key that owns it, or the current role of
 * the member that owns it.
 */
export const ownerColumns = sql`
  e.permissions, e.member_id, owner.role as owner_role, owner.permissions as owner_permissions`

export const joinOwner = sql`
  left join lateral app.maker_rights(e.member_org_id, e.member_id) as owner on e.member_id is not null`

export type OwnerRow = {
  permissions: string[] | null
  member_id: string | null
  owner_role: string | null
  owner_permissions: string[] | null
}

/** Returns the permissions of an endpoint; null: the member who owns it has left. */
export function rightsOf(row: OwnerRow): { permissions: readonly string[] | null } | null {
  if (row.member_id === null) return { permissions: row.permissions }
  return row.owner_role === null
    ? null
    : { permissions: permissionsOf(row.owner_role as Role, row.owner_permissions) }
}

/** SQL for `update … set` that makes the caller the owner of an endpoint. It then shows what the caller may read. */
export const setOwnerColumns = ({ permissions, apiKeyId, memberId, homeOrgId }: Caller): Sql => sql`
  permissions = ${permissions}, api_key_id = ${apiKeyId}, member_id = ${memberId},
  member_org_id = ${memberId === null ? null : homeOrgId}`

/** Disables an endpoint whose owner is no longer a member, unless it has got another owner meanwhile. */
export const disableWithoutOwner = (tx: OrgTx, endpointId: string): Promise<void> =>
  disable(
    tx,
    endpointId,
    'member_left',
    sql`e.member_id is not null and not exists (select from app.maker_rights(e.member_org_id, e.member_id))`,
  )
