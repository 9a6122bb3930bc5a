import { hashToken, newInvitationToken } from '../auth/token.ts'
import { recordEvents } from '../events/record.ts'
import { lockExclusive } from '../platform/db/advisory-lock.ts'
import { JsonColumns } from '../platform/db/json-columns.ts'
import { newId } from '../platform/db/new-id.ts'
import type { Org } from '../platform/db/org.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { rawSql, sql } from '../platform/db/sql.ts'
import { conflict, notFound } from '../platform/domain-error.ts'
import type { Cursors } from '../platform/http/cursor.ts'
import type { Pagination } from '../platform/http/endpoint.ts'
import type { Json } from '../platform/json.ts'
import { Filter, readPage } from '../platform/page.ts'
import type { CreatedInvitation, CreateInvitation, Invitation, ListQuery } from './schema.ts'

const dayMs = 86_400_000
const pendingMax = 1_000

const status = `case when i.accepted_at is not null then 'accepted' when i.expires_at > now() then 'pending' else 'expired' end`

const wire = new JsonColumns('i', {
  invitation_id: 'uuid',
  label: 'text',
  status: { sql: status, kind: 'text' },
  token_hint: 'text',
  created_at: 'seconds',
  expires_at: 'seconds',
  accepted_at: 'seconds',
  client_org_id: 'uuid',
})

/** Returns the agency's invitations, newest first. Revoked ones are deleted. */
export function listInvitations(
  org: Org,
  cursors: Cursors,
  query: ListQuery,
): Promise<{ rows: Json; pagination: Pagination }> {
  const filter = new Filter(org.orgId, 'i')
  const source = {
    list: 'invitations',
    from: sql`agency_invitation i`,
    id: sql`i.invitation_id`,
    wire,
    filter,
  }
  return readPage(org, cursors, source, query)
}

/** @throws DomainError not_found */
export async function findInvitation(tx: OrgTx, invitationId: string): Promise<Invitation> {
  const invitation = await tx.first(sql<Invitation>`
    select i.invitation_id, i.label, ${rawSql(status)} as status, i.token_hint,
      floor(extract(epoch from i.created_at))::bigint as created_at,
      floor(extract(epoch from i.expires_at))::bigint as expires_at,
      floor(extract(epoch from i.accepted_at))::bigint as accepted_at, i.client_org_id
    from agency_invitation i where i.org_id = ${tx.orgId} and i.invitation_id = ${invitationId}`)
  if (!invitation) throw unknownInvitation()
  return invitation
}

/**
 * Creates an invitation. Only a hash of its token is stored, and no later answer shows the token.
 * @throws DomainError conflict if the agency has 1,000 pending invitations
 */
export async function createInvitation(tx: OrgTx, input: CreateInvitation): Promise<CreatedInvitation> {
  await lockExclusive(tx, `invitations ${tx.orgId}`)
  const counted = await tx.first(sql<{ pending: number }>`
    select count(*) as pending from agency_invitation
    where org_id = ${tx.orgId} and accepted_at is null and expires_at > now()`)
  if (counted && counted.pending >= pendingMax) {
    throw conflict(
      'limit_reached',
      `An agency can have at most ${pendingMax.toLocaleString('en')} pending invitations. Revoke some first (DELETE /agency/invitations/{invitation_id}).`,
    )
  }
  const invitationId = newId()
  const { token, body, hint } = newInvitationToken()
  const createdAt = new Date()
  const expiresAt = new Date(createdAt.getTime() + input.expires_in_days * dayMs)
  await tx.run(sql`
    insert into agency_invitation (org_id, invitation_id, label, token_hash, token_hint, created_at, expires_at)
    values (${tx.orgId}, ${invitationId}, ${input.label ?? null}, ${Buffer.from(hashToken(body), 'latin1')}, ${hint},
      ${createdAt}, ${expiresAt})`)
  await recordEvents(tx, [{ type: 'agency.invitation_created', objectId: invitationId }])
  return { ...(await findInvitation(tx, invitationId)), token }
}

/**
 * Deletes an invitation, so that its token stops working.
 * @throws DomainError not_found; conflict if a client accepted it
 */
export async function revokeInvitation(tx: OrgTx, invitationId: string): Promise<void> {
  // Lock: an organization may be accepting the invitation at the same time.
  const invitation = await tx.first(sql<{ client_org_id: string | null }>`
    select client_org_id from agency_invitation
    where org_id = ${tx.orgId} and invitation_id = ${invitationId} for update`)
  if (!invitation) throw unknownInvitation()
  if (invitation.client_org_id !== null) {
    throw conflict(
      'invitation_accepted',
      `An organization accepted this invitation. To cut the link, send DELETE /agency/clients/${invitation.client_org_id}`,
    )
  }
  await tx.run(sql`
    delete from agency_invitation where org_id = ${tx.orgId} and invitation_id = ${invitationId}`)
  await recordEvents(tx, [{ type: 'agency.invitation_revoked', objectId: invitationId }])
}

const unknownInvitation = () => notFound('object_not_found', 'This agency has no invitation with this id')
