import { ssoRequired } from '../../auth/known-sessions.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { forbidden } from '../../platform/domain-error.ts'

/**
 * Refuses a sign-in with a password or passkey if all organizations of the person require single sign-on. The person
 * has already proved who they are, so the answer may name the organizations.
 * @throws DomainError forbidden
 */
export async function refuseIfSsoOnly(tx: Tx, memberId: string): Promise<void> {
  const orgs = await tx.rows(sql<{ org_id: string; org_name: string; is_required: boolean }>`
    select o.org_id, o.name as org_name, h.sso_only or ${ssoRequired} as is_required
    from membership h join org o on o.org_id = h.org_id join member m on m.member_id = h.member_id
    where h.member_id = ${memberId} order by o.name, o.org_id`)
  if (orgs.length === 0 || orgs.some(({ is_required: isRequired }) => !isRequired)) return
  const names = orgs.map(({ org_name: name }) => name).join(', ')
  throw forbidden(
    'sso_required',
    `${names} requires single sign-on; sign in there. If single sign-on does not work, ask an owner, who gets a recovery link from the operator of this installation`,
    { sso: orgs.map(({ org_id, org_name }) => ({ org_id, org_name })) },
  )
}
