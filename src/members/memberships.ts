import { membersLock } from '../auth/members-lock.ts'
import { covers } from '../auth/permissions.ts'
import {
  isLimitable,
  limitOf,
  outranks,
  permissionsOf,
  type Role,
  type StoredRecordAccess,
} from '../auth/roles.ts'
import { revokeAppsOf } from '../connected-apps/apps.ts'
import { recordEvents } from '../events/record.ts'
import { emailKey } from '../normalize/email.ts'
import { enqueueReassignment } from '../owners/jobs.ts'
import type { Caller } from '../platform/caller.ts'
import { lockExclusive } from '../platform/db/advisory-lock.ts'
import { joinItems } from '../platform/db/joined-items.ts'
import { OrgTx } from '../platform/db/org-tx.ts'
import { sql } from '../platform/db/sql.ts'
import type { Tx } from '../platform/db/tx.ts'
import { conflict, type DomainError, forbidden, notFound, unauthenticated } from '../platform/domain-error.ts'
import { refuse } from '../platform/http/fields.ts'
import { requireVersion } from '../platform/http/if-match.ts'
import { detailAt, ValidationError } from '../platform/http/validation.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import { Json } from '../platform/json.ts'
import { reassignTasks } from '../tasks/many-tasks.ts'

/** A member of an org, as answers show it. */
export type Member = {
  member_id: string
  email: string
  name: string
  role: Role
  permissions: string[] | null
  /** The records that the member reaches. */
  record_access: StoredRecordAccess
  has_second_factor: boolean
  seen_at: number | null
  /** The agency whose member invited this one; null: none. */
  invited_by_org_id: string | null
  created_at: number
  version: number
}

const selectMembers = (orgId: string) => sql<Member>`
  select h.member_id, m.email, m.name, h.role, h.permissions, h.record_access, m.totp_secret is not null as has_second_factor,
    (select floor(extract(epoch from max(s.seen_at)))::bigint from session s
      where s.member_id = h.member_id and (s.sso_org_id = h.org_id or s.sso_org_id is null and not h.sso_only)) as seen_at,
    h.invited_by_org_id, floor(extract(epoch from h.created_at))::bigint as created_at, h.version
  from membership h join member m on m.member_id = h.member_id
  where h.org_id = ${orgId}`

/** The JSON of all members of an org, by name. There may be thousands, so PostgreSQL makes the JSON. */
export async function listMembers(tx: Tx, orgId: string): Promise<Json> {
  const rows = await tx.rows(
    joinItems(sql`
      select row_to_json(m)::text as item, row_number() over (order by m.name, m.member_id) as place
      from (${selectMembers(orgId)}) as m`),
  )
  return Json.list(rows.map(({ items }) => items))
}

/** @throws DomainError not_found */
export async function findMember(tx: Tx, orgId: string, memberId: string): Promise<Member> {
  const member = await tx.first(sql<Member>`${selectMembers(orgId)} and h.member_id = ${memberId}`)
  if (!member) throw notFound('object_not_found', 'No member of this organization has this id')
  return member
}

export type MembershipOrigin = {
  /** The agency whose people invited the person; null: none. */
  invitedByOrg?: string | null
  ssoOnly?: boolean
  /** true: a person who is a member already keeps the role. */
  isInvitation?: boolean
  /** The limit of a new member. */
  recordAccess?: StoredRecordAccess
}

/** The maximum number of organizations of a person: each look-up of a session reads all of them. */
const membershipsMax = 200

/**
 * Makes a person a member of an org, or changes the role.
 * @throws DomainError conflict if an invitation would change the role of a member, or if the person is a member of 200 orgs
 */
export async function putMembership(
  tx: Tx,
  orgId: string,
  memberId: string,
  role: Role,
  { invitedByOrg = null, ssoOnly = false, isInvitation = false, recordAccess = 'all' }: MembershipOrigin = {},
): Promise<void> {
  const others = await tx.first(sql<{ count: number }>`
    select count(*)::int as count from membership where member_id = ${memberId} and org_id <> ${orgId}`)
  if (others && others.count >= membershipsMax)
    throw conflict(
      'limit_reached',
      `A person can be a member of at most ${membershipsMax} organizations. Leave one of them first, in its Settings → Members. People of an agency reach its clients without being members of them.`,
    )
  const put = await tx.run(sql`
    insert into membership (org_id, member_id, role, record_access, invited_by_org_id, sso_only, created_at)
    values (${orgId}, ${memberId}, ${role}, ${recordAccess}, ${invitedByOrg}, ${ssoOnly}, now())
    on conflict (org_id, member_id) do update
    set role = excluded.role, permissions = null,
      record_access = case when excluded.role in ('member', 'viewer') then membership.record_access else 'all' end,
      sso_only = excluded.sso_only, version = membership.version + 1
    where not ${isInvitation}`)
  if (put > 0) return
  throw conflict(
    'member_exists',
    'You are a member of this organization already, so your role stays as it is',
  )
}

/** The caller's current role. A cached one may be out of date. */
type Held = { role: Role; permissions: readonly string[] | null }

/**
 * Reads and locks the caller's role. Owners of an agency count as admins in a client that has an owner: they could
 * take the client over otherwise.
 */
async function holdRole(tx: Tx, { homeOrgId, orgId, memberId }: Caller): Promise<Held> {
  const held = await tx.first(sql<{ role: Role; permissions: string[] | null; is_guest: boolean }>`
    select h.role, h.permissions, exists (
      select from agency_client l join membership o on o.org_id = l.client_org_id
      where l.agency_org_id = h.org_id and l.client_org_id = ${orgId} and o.role = 'owner' and o.permissions is null
    ) as is_guest
    from membership h where h.org_id = ${homeOrgId} and h.member_id = ${memberId} for share of h`)
  if (!held) throw unauthenticated('session_ended', 'You are no longer a member; sign in again')
  const role = held.role === 'owner' && held.is_guest ? 'admin' : held.role
  return { role, permissions: permissionsOf(role, held.permissions) }
}

/**
 * Requires that the caller may grant or remove these rights.
 * @throws DomainError unauthenticated, forbidden
 */
export async function requireRank(
  tx: Tx,
  caller: Caller,
  given: readonly { role: Role; permissions: readonly string[] | null }[],
): Promise<void> {
  const held = await holdRole(tx, caller)
  const isAllowed =
    covers(held.permissions, ['members:manage']) &&
    given.every(
      ({ role, permissions }) =>
        outranks(held.role, role) && covers(held.permissions, permissionsOf(role, permissions)),
    )
  if (!isAllowed) throw roleTooLow()
}

const roleTooLow = (): DomainError =>
  forbidden(
    'role_too_low',
    'Your role is too low for this: only an owner of the organization changes its owners, and nobody gives more rights than they have. Ask an owner',
  )

export type MemberChange = {
  role?: Role | undefined
  permissions?: string[] | null | undefined
  record_access?: StoredRecordAccess | undefined
}

/**
 * Changes a role, or the records that a member reaches. An owner or admin reaches all records.
 * @throws DomainError unauthenticated, forbidden, not_found, conflict; ValidationError
 */
export async function changeMember(
  tx: Tx,
  caller: Caller,
  memberId: string,
  change: MemberChange,
  version: number | undefined,
): Promise<Member> {
  await lockMembers(tx, caller.orgId)
  const before = await findMember(tx, caller.orgId, memberId)
  requireVersion('this member', version, before.version)
  const { role = before.role, permissions = change.role ? null : before.permissions } = change
  await requireRank(tx, caller, [before, { role, permissions }])
  const access = change.record_access ?? (isLimitable(role) ? before.record_access : 'all')
  requireLimitable(role, access)
  const changed = [
    ...(role !== before.role ? ['role'] : []),
    ...(JSON.stringify(permissions) !== JSON.stringify(before.permissions) ? ['permissions'] : []),
    ...(access !== before.record_access ? ['record_access'] : []),
  ]
  if (changed.length === 0) return before
  if (role !== 'owner' || permissions !== null) await requireOtherOwner(tx, before, caller.orgId)
  await tx.run(sql`
    update membership
    set role = ${role}, permissions = ${permissions}, record_access = ${access}, version = version + 1
    where org_id = ${caller.orgId} and member_id = ${memberId}`)
  const isMore =
    outranks(role, before.role) &&
    covers(
      permissionsOf(role, permissions, limitOf(access)),
      permissionsOf(before.role, before.permissions, limitOf(before.record_access)),
    )
  if (!isMore) await dropLinksBy(tx, caller.orgId, memberId)
  await recordEvents(new OrgTx(tx, caller), [{ type: 'member.updated', objectId: memberId, changed }])
  return findMember(tx, caller.orgId, memberId)
}

/** @throws ValidationError if a role that reaches all records would be limited */
export function requireLimitable(role: Role, access: StoredRecordAccess = 'all'): void {
  if (access === 'all' || isLimitable(role)) return
  const why = refuse('owners and admins reach all records: give the person the role member or viewer first')
  throw new ValidationError([detailAt(['body', 'record_access'], why)])
}

/**
 * Removes a member. The member's tasks and records go to another member, or to nobody, and the member's apps are disconnected.
 * Each member can leave the organization, whatever the role. A caller needs `members:manage` to choose who gets the records.
 * @param reassignTo the member who gets them; null: nobody
 * @throws DomainError unauthenticated, forbidden, not_found, conflict; ValidationError
 */
export async function removeMember(
  tx: Tx,
  caller: Caller,
  memberId: string,
  reassignTo: string | null,
  jobs: Jobs,
): Promise<void> {
  await lockMembers(tx, caller.orgId)
  const member = await findMember(tx, caller.orgId, memberId)
  // Somebody who acts as a member of the agency keeps the membership in the client.
  const leaves = memberId === caller.memberId && caller.homeOrgId === caller.orgId
  if (!leaves || reassignTo !== null) await requireRank(tx, caller, [member])
  await requireOtherOwner(tx, member, caller.orgId)
  if (reassignTo !== null) await requireSuccessor(tx, caller.orgId, memberId, reassignTo)
  await reassignTasks(new OrgTx(tx, caller), memberId, reassignTo)
  await enqueueReassignment(new OrgTx(tx, caller), jobs, memberId, reassignTo)
  await tx.run(sql`delete from membership where org_id = ${caller.orgId} and member_id = ${memberId}`)
  await tx.run(sql`
    delete from link where org_id = ${caller.orgId} and email_key = ${emailKey(member.email)}`)
  await dropLinksBy(tx, caller.orgId, memberId)
  await revokeAppsOf(tx, caller, memberId)
  await recordEvents(new OrgTx(tx, caller), [{ type: 'member.removed', objectId: memberId }])
}

async function requireSuccessor(tx: Tx, orgId: string, memberId: string, successorId: string): Promise<void> {
  const at = (words: string) => new ValidationError([detailAt(['query', 'reassign_to'], refuse(words))])
  if (successorId === memberId) throw at('this member is being removed: send another member')
  const held = await tx.first(sql<{ member_id: string }>`
    select member_id from membership where org_id = ${orgId} and member_id = ${successorId} for key share`)
  if (!held) throw at('no member of this organization has this id')
}

/** Revokes the links that a member created with rights in an org, also the links in clients of the org. */
const dropLinksBy = (tx: Tx, orgId: string, memberId: string) =>
  tx.run(sql`
    delete from link
    where created_by_member_id = ${memberId} and (org_id = ${orgId} or invited_by_org_id = ${orgId})`)

/** Locks the members of an org for changes, so that two owners cannot remove each other at the same time. */
const lockMembers = (tx: Tx, orgId: string) => lockExclusive(tx, membersLock(orgId))

async function requireOtherOwner(tx: Tx, member: Member, orgId: string): Promise<void> {
  if (member.role !== 'owner') return
  const others = await tx.first(sql<{ owners: number }>`
    select count(*)::int as owners from membership
    where org_id = ${orgId} and role = 'owner' and permissions is null and member_id <> ${member.member_id}`)
  if (others && others.owners > 0) return
  throw conflict(
    'last_owner',
    'This is the last owner of the organization; make another member an owner first',
  )
}

/**
 * Returns true if the person is a member of another org, or had the account before joining this org by single sign-on.
 * In both cases, the account does not belong to this org alone. An org that the person enters only with that org's
 * single sign-on does not count: its provider could otherwise prevent the recovery.
 */
export async function isUsedElsewhere(tx: Tx, orgId: string, memberId: string): Promise<boolean> {
  const others = await tx.run(sql`
    select from membership where member_id = ${memberId} and (org_id = ${orgId}) = sso_only limit 1`)
  return others > 0
}
