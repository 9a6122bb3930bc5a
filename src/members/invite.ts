import type { Role, StoredRecordAccess } from '../auth/roles.ts'
import { recordEvents } from '../events/record.ts'
import { emailKey } from '../normalize/email.ts'
import { refuseInSandbox } from '../orgs/orgs.ts'
import type { Caller } from '../platform/caller.ts'
import { OrgTx } from '../platform/db/org-tx.ts'
import { sql } from '../platform/db/sql.ts'
import type { Tx } from '../platform/db/tx.ts'
import { conflict, forbidden } from '../platform/domain-error.ts'
import { deleteLinksFor, insertLink, type LinkKind, type MadeLink } from './links.ts'
import { findMember, isUsedElsewhere, requireLimitable, requireRank } from './memberships.ts'
import { findByEmail } from './people.ts'

const linksMax = 1_000

/**
 * Creates a link that makes a person a member.
 * @throws DomainError unauthenticated, forbidden, conflict
 */
export async function invite(
  tx: Tx,
  caller: Caller,
  {
    email,
    role,
    record_access: recordAccess,
  }: { email: string; role: Role; record_access?: StoredRecordAccess | undefined },
): Promise<MadeLink> {
  await requireRank(tx, caller, [{ role, permissions: null }])
  requireLimitable(role, recordAccess)
  await refuseMembersOfSandbox(new OrgTx(tx, caller))
  if ((await findMemberId(tx, caller.orgId, email)) !== null) {
    throw conflict(
      'member_exists',
      'A person with this e-mail address is a member already; change the role instead',
    )
  }
  const counted = await tx.first(sql<{ links: number }>`
    select count(*)::int as links from link where org_id = ${caller.orgId}`)
  if (counted && counted.links >= linksMax)
    throw conflict('limit_reached', `An organization has at most ${linksMax} open links; revoke some first`)
  await deleteLinksFor(tx, caller.orgId, email)
  const { orgId, homeOrgId, memberId: createdBy } = caller
  const invitedByOrg = homeOrgId === orgId ? null : homeOrgId
  const made = await insertLink(tx, {
    orgId,
    kind: 'invite',
    email,
    role,
    recordAccess,
    createdBy,
    invitedByOrg,
  })
  await recordEvents(new OrgTx(tx, caller), [{ type: 'member.invited', objectId: made.linkId }])
  return made
}

/**
 * Creates a link with which a member sets a new password. Only the operator may do this for a person of several
 * organizations, or for an account that is older than its single sign-on. Otherwise an admin of one organization could
 * enter the others. People of an agency may not do it for members of a client: those members remain when the link to
 * the agency is cut.
 * @throws DomainError unauthenticated, forbidden, not_found
 */
export async function createRecoveryLink(tx: Tx, caller: Caller, memberId: string): Promise<MadeLink> {
  const member = await findMember(tx, caller.orgId, memberId)
  if (caller.homeOrgId !== caller.orgId) {
    throw forbidden(
      'recovery_by_operator',
      'People of an agency cannot recover the members of a client; ask an owner or admin of the client, or the operator of this installation',
    )
  }
  await requireRank(tx, caller, [member])
  if (await isUsedElsewhere(tx, caller.orgId, memberId)) {
    throw forbidden(
      'recovery_by_operator',
      'This account is older than the membership, or is in other organizations too; ask the operator of this installation for the recovery link',
    )
  }
  await deleteLinksFor(tx, caller.orgId, member.email)
  const { email, role } = member
  const { orgId, memberId: createdBy } = caller
  const made = await insertLink(tx, { orgId, kind: 'recovery', email, role, createdBy, invitedByOrg: null })
  await recordEvents(new OrgTx(tx, caller), [{ type: 'member.recovery_offered', objectId: memberId }])
  return made
}

/** People reach a sandbox through the organization that made it, so that nothing in it has a real effect. */
const refuseMembersOfSandbox = (tx: OrgTx) =>
  refuseInSandbox(
    tx,
    'A sandbox has no members of its own: invite people to the organization that made it, and they reach the sandbox too',
  )

/** Returns the id of the member of the org with this address; null: there is none. */
async function findMemberId(tx: Tx, orgId: string, email: string): Promise<string | null> {
  const person = await findByEmail(tx, emailKey(email))
  if (!person) return null
  const found = await tx.run(sql`
    select from membership where org_id = ${orgId} and member_id = ${person.member_id}`)
  return found > 0 ? person.member_id : null
}

/**
 * Creates a link for the operator: a recovery link for a member of the org, otherwise an invitation.
 * @param tx of the operator, across orgs
 * @returns the link, and the orgs of which the person is a member
 * @throws DomainError forbidden in a sandbox
 */
export async function operatorLink(
  tx: Tx,
  author: OrgTx,
  { email, role }: { email: string; role: Role },
): Promise<MadeLink & { kind: LinkKind; memberOf: string[] }> {
  const { orgId } = author
  await refuseMembersOfSandbox(author)
  const memberId = await findMemberId(tx, orgId, email)
  const kind = memberId === null ? 'invite' : 'recovery'
  await deleteLinksFor(tx, orgId, email)
  const made = await insertLink(tx, { orgId, kind, email, role, createdBy: null, invitedByOrg: null })
  await recordEvents(author, [
    memberId === null
      ? { type: 'member.invited', objectId: made.linkId }
      : { type: 'member.recovery_offered', objectId: memberId },
  ])
  const joined = await tx.rows(sql<{ org_id: string }>`
    select org_id from membership join member using (member_id)
    where email_key = ${emailKey(email)} order by org_id`)
  return { ...made, kind, memberOf: joined.map((each) => each.org_id) }
}
