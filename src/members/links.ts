import { randomBytes } from 'node:crypto'
import type { Role, StoredRecordAccess } from '../auth/roles.ts'
import { recordEvents } from '../events/record.ts'
import { emailKey } from '../normalize/email.ts'
import type { Caller } from '../platform/caller.ts'
import { lockExclusive } from '../platform/db/advisory-lock.ts'
import { newId } from '../platform/db/new-id.ts'
import { OrgTx } from '../platform/db/org-tx.ts'
import { sql } from '../platform/db/sql.ts'
import type { Tx } from '../platform/db/tx.ts'
import { type DomainError, notFound } from '../platform/domain-error.ts'
import { sha256 } from './sha256.ts'

export const linkKinds = ['set_up', 'invite', 'recovery'] as const
export type LinkKind = (typeof linkKinds)[number]

const secondsOf: Readonly<Record<LinkKind, number>> = { set_up: 86_400, invite: 604_800, recovery: 3_600 }
const tokenBytes = 20

export type NewLink = {
  /** null for a set-up link, whose user creates the org. */
  orgId: string | null
  kind: LinkKind
  /** null: the user of the link enters the address. */
  email: string | null
  role: Role
  /** The limit of the new member; by default `all`. */
  recordAccess?: StoredRecordAccess | undefined
  createdBy: string | null
  /** The agency whose member created the link; null: a member of the org, or the operator. */
  invitedByOrg: string | null
}

export type MadeLink = { linkId: string; token: string; expiresAt: number }

/** Stores a one-time link. Only a hash of its token is stored. */
export async function insertLink(tx: Tx, link: NewLink): Promise<MadeLink> {
  const [linkId, token] = [newId(), randomBytes(tokenBytes).toString('base64url')]
  const expiresAt = new Date(Date.now() + secondsOf[link.kind] * 1000)
  await tx.run(sql`
    insert into link (org_id, link_id, kind, token_hash, email, email_key, role, record_access,
      created_by_member_id, invited_by_org_id, created_at, expires_at)
    values (${link.orgId}, ${linkId}, ${link.kind}, ${sha256(token)}, ${link.email},
      ${link.email === null ? null : emailKey(link.email)}, ${link.role}, ${link.recordAccess ?? 'all'}, ${link.createdBy},
      ${link.invitedByOrg}, now(), ${expiresAt})`)
  return { linkId, token, expiresAt: Math.floor(expiresAt.getTime() / 1000) }
}

/** Returns the console page for the link. The token is in the fragment, which no log contains. */
export function linkUrl(origin: string, kind: LinkKind, token: string): string {
  return `${origin}/console/${kind === 'set_up' ? 'set-up' : kind}#${token}`
}

export type OpenLink = {
  /** null for a set-up link, whose user creates the org. */
  org_id: string | null
  org_name: string | null
  link_id: string
  kind: LinkKind
  email: string | null
  role: Role
  record_access: StoredRecordAccess
  created_by_member_id: string | null
  invited_by_org_id: string | null
  /** The organization of an invitation, if it requires single sign-on for the address. */
  sso_org_id: string | null
}

/** SQL: whether link `l` is valid. A set-up link is valid until any org has an owner. */
const isUsable = sql`l.expires_at > clock_timestamp() and (l.kind <> 'set_up'
  or not exists (select from membership m where m.role = 'owner' and m.permissions is null))`

/** Reads a link without using it. @throws DomainError not_found */
export async function readLink(tx: Tx, token: string): Promise<OpenLink> {
  const link = await tx.first(sql<OpenLink>`
    select l.org_id, o.name as org_name, l.link_id, l.kind, l.email, l.role, l.record_access,
      l.created_by_member_id, l.invited_by_org_id, (
        select x.org_id from sso x where x.org_id = l.org_id and l.kind = 'invite' and x.is_required
          and split_part(l.email_key, '@', 2) = any (x.domains)) as sso_org_id
    from link l left join org o on o.org_id = l.org_id
    where l.token_hash = ${sha256(token)} and ${isUsable}`)
  if (!link) throw linkNotFound()
  return link
}

/** Only one of several set-up links makes an owner. */
export const lockSetUp = (tx: Tx): Promise<void> => lockExclusive(tx, 'set-up link')

/**
 * Invalidates a link. Of two parallel uses of a link, or of set-up links, the second one fails.
 * @throws DomainError not_found
 */
export async function consumeLink(tx: Tx, token: string, kind: LinkKind): Promise<void> {
  if (kind === 'set_up') await lockSetUp(tx)
  const taken = await tx.run(sql`delete from link l where l.token_hash = ${sha256(token)} and ${isUsable}`)
  if (taken === 0) throw linkNotFound()
}

/** Deletes the org's links for this address, so that only the newest one is valid. */
export async function deleteLinksFor(tx: Tx, orgId: string, email: string): Promise<void> {
  await tx.run(sql`delete from link where org_id = ${orgId} and email_key = ${emailKey(email)}`)
}

/** Revokes a link of the caller's org. @throws DomainError not_found */
export async function revokeLink(tx: Tx, caller: Caller, linkId: string): Promise<void> {
  const revoked = await tx.run(sql`
    delete from link where org_id = ${caller.orgId} and link_id = ${linkId}`)
  if (revoked === 0) throw notFound('object_not_found', 'No link of this organization has this id')
  await recordEvents(new OrgTx(tx, caller), [{ type: 'member.link_revoked', objectId: linkId }])
}

export type PendingLink = {
  link_id: string
  kind: LinkKind
  email: string | null
  role: Role
  record_access: StoredRecordAccess
  created_at: number
  expires_at: number
}

/** Returns the valid links of an org, newest first. */
export function listLinks(tx: Tx, orgId: string): Promise<PendingLink[]> {
  return tx.rows(sql<PendingLink>`
    select l.link_id, l.kind, l.email, l.role, l.record_access, floor(extract(epoch from l.created_at))::bigint as created_at,
      floor(extract(epoch from l.expires_at))::bigint as expires_at
    from link l where l.org_id = ${orgId} and ${isUsable} order by l.created_at desc, l.link_id desc`)
}

/** The error for any invalid link. It gives no reason, so that nobody learns whether a link exists. */
export const linkNotFound = (): DomainError =>
  notFound(
    'link_unusable',
    'This link is mistyped, used, revoked or expired. Ask the person who sent it for a new one',
  )
