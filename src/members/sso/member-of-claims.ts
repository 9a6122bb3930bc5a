import type { Role, StoredRecordAccess } from '../../auth/roles.ts'
import { recordEvents } from '../../events/record.ts'
import { readEmail } from '../../normalize/email.ts'
import { OrgTx } from '../../platform/db/org-tx.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { visibleText } from '../../platform/visible-text.ts'
import { type MembershipOrigin, putMembership } from '../memberships.ts'
import { findByEmail, insertPerson } from '../people.ts'
import type { StoredSsoConnection } from './connection.ts'
import { SsoFailure } from './failure.ts'

/** The statements of a provider about a person. */
export type IdTokenClaims = {
  sub: string
  email?: unknown
  email_verified?: unknown
  name?: unknown
}

/**
 * Finds or creates the member that a provider describes. The provider is trusted for its own org only, so the session
 * must not reach other orgs.
 * @returns the id of the member
 * @throws SsoFailure
 */
export async function memberOfClaims(
  tx: Tx,
  orgId: string,
  connection: StoredSsoConnection,
  claims: IdTokenClaims,
): Promise<string> {
  const { email, emailKey } = addressIn(claims, connection)
  const { issuer } = connection
  if (!isSubject(claims.sub)) throw new SsoFailure('sso_invalid')
  const known = await tx.first(sql<{ member_id: string }>`
    select member_id from sso_identity
    where org_id = ${orgId} and issuer = ${issuer} and subject = ${claims.sub}`)
  const person = known ?? (await findByEmail(tx, emailKey))
  const isMember =
    person &&
    (await tx.run(sql`
    select from membership where org_id = ${orgId} and member_id = ${person.member_id}`))
  if (!known && isMember && (await hasOtherSubject(tx, orgId, issuer, person.member_id)))
    throw new SsoFailure('sso_other_account')
  const invitation = isMember ? undefined : await useInvitation(tx, orgId, emailKey)
  const role = isMember ? null : (invitation?.role ?? connection.newcomer_role)
  if (!isMember && role === null) throw new SsoFailure('sso_not_invited')
  const memberId =
    person?.member_id ??
    (await insertPerson(tx, { email, emailKey, name: nameIn(claims) || email, password: null }))
  // A parallel sign-in of the same person has just created the account.
  if (memberId === null) throw new SsoFailure('sso_expired')
  // An existing account may belong to somebody else who registered the address first. Its password must not work for
  // this org.
  const origin = {
    invitedByOrg: invitation?.invited_by_org_id ?? null,
    ssoOnly: person !== undefined,
    recordAccess: invitation?.record_access ?? 'all',
  }
  if (role !== null) await join(tx, orgId, memberId, role, origin)
  // The account at the provider that the person had before being removed must not open the new membership.
  if (!known)
    await tx.run(sql`
      delete from sso_identity where org_id = ${orgId} and issuer = ${issuer} and member_id = ${memberId}`)
  await tx.run(sql`
    insert into sso_identity (org_id, issuer, subject, member_id, created_at, used_at)
    values (${orgId}, ${issuer}, ${claims.sub}, ${memberId}, now(), now())
    on conflict (org_id, issuer, subject) do update set used_at = now()`)
  return memberId
}

/** PostgreSQL stores no NUL, and no index holds a long text. A subject has at most 255 characters (Core, section 2). */
const isSubject = (sub: string) => sub.length <= 255 && !/\p{Cc}|\p{Cs}/u.test(sub)

/** One line without invisible characters; '' if there is none. */
const nameIn = ({ name }: IdTokenClaims) =>
  typeof name === 'string'
    ? visibleText(name).replaceAll(/\s+/g, ' ').trim().slice(0, 120).toWellFormed()
    : ''

function addressIn(
  { email: sent, email_verified: isVerified }: IdTokenClaims,
  { domains }: StoredSsoConnection,
) {
  const read = readEmail(typeof sent === 'string' ? sent : '')
  if (!('email' in read) || isVerified !== true) throw new SsoFailure('sso_email_unverified')
  const { email, key: emailKey } = read
  if (!domains.includes(emailKey.slice(emailKey.lastIndexOf('@') + 1)))
    throw new SsoFailure('sso_domain_not_allowed')
  return { email, emailKey }
}

/** Whether the provider knows the member under another id. The address may have been given to another person. */
async function hasOtherSubject(tx: Tx, orgId: string, issuer: string, memberId: string): Promise<boolean> {
  const others = await tx.run(sql`
    select from sso_identity where org_id = ${orgId} and issuer = ${issuer} and member_id = ${memberId} limit 1`)
  return others > 0
}

type Invitation = { role: Role; record_access: StoredRecordAccess; invited_by_org_id: string | null }

/** Invalidates the invitation for the address; undefined if there is none. */
function useInvitation(tx: Tx, orgId: string, emailKey: string): Promise<Invitation | undefined> {
  return tx.first(sql<Invitation>`
    delete from link
    where org_id = ${orgId} and kind = 'invite' and email_key = ${emailKey} and expires_at > clock_timestamp()
    returning role, record_access, invited_by_org_id`)
}

async function join(
  tx: Tx,
  orgId: string,
  memberId: string,
  role: Role,
  origin: MembershipOrigin,
): Promise<void> {
  await putMembership(tx, orgId, memberId, role, origin)
  const actor = { orgId, mode: 'live', apiKeyId: null, memberId } as const
  await recordEvents(new OrgTx(tx, actor), [{ type: 'member.joined', objectId: memberId }])
}
