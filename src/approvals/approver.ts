import { allows } from '../auth/permissions.ts'
import { limitOf, permissionsOf, type Role, type StoredRecordAccess } from '../auth/roles.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { sql } from '../platform/db/sql.ts'

type Approved = { decided_by: string | null; permission: string }
type Membership = { role: Role; permissions: string[] | null; record_access: StoredRecordAccess }

/**
 * Withdraws the approval of an effect that has not begun, if the person who gave it left or lost the permission
 * meanwhile. Then another person can decide the effect. Otherwise locks the person's role until the transaction ends.
 * @returns whether the approval was withdrawn
 */
export async function withdrawLostApproval(tx: OrgTx, effectId: string): Promise<boolean> {
  const approved = await tx.first(sql<Approved>`
    select decided_by, permission from pending_effect
    where org_id = ${tx.orgId} and effect_id = ${effectId} and begun_at is null and is_approved`)
  // Null after a form of an AI host that uses an API key: no member decided.
  if (!approved || approved.decided_by === null) return false
  const held = await tx.rows(sql<Membership>`
    select role, permissions, record_access from app.hold_approver(${approved.decided_by})`)
  const mayApprove = held.some(({ role, permissions, record_access: access }) =>
    allows(permissionsOf(role, permissions, limitOf(access)), approved.permission),
  )
  if (mayApprove) return false
  const withdrawn = await tx.run(sql`
    update pending_effect set decided_at = null, decided_by = null, is_approved = null
    where org_id = ${tx.orgId} and effect_id = ${effectId} and begun_at is null and decided_by = ${approved.decided_by}`)
  return withdrawn > 0
}
