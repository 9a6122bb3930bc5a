import { permissionsOf, type Role } from '../auth/roles.ts'
import type { Caller } from '../platform/caller.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { type Sql, sql } from '../platform/db/sql.ts'
import { disable } from './disable.ts'

/**
 * SQL of whether the owner of endpoint `e` is a key of an agency whose link was cut. If the agency made the key in the
 * client, the key still works until somebody deletes it. Until then, it does not count as a key of a former agency. In
 * a sandbox, the links of the organization that made the sandbox count, and keys of that organization are not keys of
 * an agency.
 */
const isKeyOfFormerAgency = sql`
  e.key_org_id is not null
  and not app.has_keys_here(e.key_org_id)
  and not exists (select from api_key k where k.org_id = e.org_id and k.api_key_id = e.api_key_id)`

/**
 * SQL columns that say what endpoint `e` may show: the permissions of the API key that owns it, or the current role of
 * the member that owns it.
 */
export const ownerColumns = sql`
  e.permissions, e.member_id, owner.role as owner_role, owner.permissions as owner_permissions,
  (${isKeyOfFormerAgency}) as is_key_of_former_agency`

export const joinOwner = sql`
  left join lateral app.maker_rights(e.member_org_id, e.member_id) as owner on e.member_id is not null`

export type OwnerRow = {
  permissions: string[] | null
  member_id: string | null
  owner_role: string | null
  owner_permissions: string[] | null
  is_key_of_former_agency: boolean
}

/** Returns the permissions of an endpoint; null: the owner is a member who has left, or a key of a former agency. */
export function rightsOf(row: OwnerRow): { permissions: readonly string[] | null } | null {
  if (row.is_key_of_former_agency) return null
  if (row.member_id === null) return { permissions: row.permissions }
  return row.owner_role === null
    ? null
    : { permissions: permissionsOf(row.owner_role as Role, row.owner_permissions) }
}

/** SQL for `update … set` that makes the caller the owner of an endpoint. It then shows what the caller may read. */
export const setOwnerColumns = (caller: Caller): Sql => sql`
  permissions = ${caller.permissions}, api_key_id = ${caller.apiKeyId}, member_id = ${caller.memberId},
  member_org_id = ${caller.memberId === null ? null : caller.homeOrgId}, key_org_id = ${keyOrgId(caller)}`

/** SQL of the agency whose key the caller is; null: a member, or a key of the organization itself. */
export function keyOrgId({ orgId, homeOrgId, apiKeyId, memberId }: Caller): Sql {
  if (memberId !== null) return sql`null::uuid`
  if (homeOrgId !== orgId) return sql`${homeOrgId}::uuid`
  return sql`(select nullif(k.created_by_org_id, ${orgId}) from api_key k
    where k.org_id = ${orgId} and k.api_key_id = ${apiKeyId})`
}

/**
 * Disables an endpoint whose owner is no longer a member, or a key of a former agency, unless it has got another owner
 * meanwhile.
 */
export const disableWithoutOwner = (tx: OrgTx, endpointId: string): Promise<void> =>
  disable(
    tx,
    endpointId,
    'member_left',
    sql`(e.member_id is not null and not exists (select from app.maker_rights(e.member_org_id, e.member_id))
      or ${isKeyOfFormerAgency})`,
  )
