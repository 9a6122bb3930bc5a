import { type CallerRights, lockCallerRights } from '../auth/caller-rights.ts'
import { covers } from '../auth/permissions.ts'
import { hashToken, readInvitationToken } from '../auth/token.ts'
import { recordEvents } from '../events/record.ts'
import { refuseInSandbox } from '../orgs/orgs.ts'
import type { Caller } from '../platform/caller.ts'
import { JsonColumns } from '../platform/db/json-columns.ts'
import { newId } from '../platform/db/new-id.ts'
import type { Org } from '../platform/db/org.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { sql } from '../platform/db/sql.ts'
import { timeOf } from '../platform/db/uuid-time.ts'
import { conflict, forbidden, notFound } from '../platform/domain-error.ts'
import type { Cursors } from '../platform/http/cursor.ts'
import type { Pagination } from '../platform/http/endpoint.ts'
import type { Json } from '../platform/json.ts'
import { Filter, readPage } from '../platform/page.ts'
import { deleteAllKeysOfAgency } from '../sandboxes/agency-keys.ts'
import { clientNotFound, clientsMax, findClient, tooManyClients } from './clients.ts'
import type { Agency, CutAgency, CutAgencyLink, ListQuery, PreviewedAgency } from './schema.ts'

const wire = new JsonColumns('a', {
  org_id: { sql: 'a.agency_org_id', kind: 'uuid' },
  name: 'text',
  linked_at: 'seconds',
})

/** Returns the agencies that can act on the organization, newest organization first. */
export function listAgencies(
  org: Org,
  cursors: Cursors,
  query: ListQuery,
): Promise<{ rows: Json; pagination: Pagination }> {
  const filter = new Filter(org.orgId, 'a')
  const source = { list: 'agencies', from: sql`app.agencies() a`, id: sql`a.agency_org_id`, wire, filter }
  return readPage(org, cursors, source, query)
}

type Accepted = {
  outcome: 'linked' | 'unknown' | 'own' | 'already_linked' | 'full'
  invitation_id: string | null
  agency_org_id: string | null
}

/**
 * Makes the organization a client of the agency whose invitation has this token.
 * @throws DomainError unauthenticated, forbidden, not_found, conflict
 */
export async function acceptInvitation(tx: OrgTx, caller: Caller, token: string): Promise<Agency> {
  const keyOf = await requireAllRights(tx, caller)
  const body = readInvitationToken(token)
  if (body === null) throw unknownToken()
  const eventId = newId()
  const accepted = await tx.first(sql<Accepted>`
    select outcome, invitation_id, agency_org_id
    from app.accept_invitation(${Buffer.from(hashToken(body), 'latin1')}, ${keyOf}, ${clientsMax}, ${eventId},
      ${new Date(timeOf(eventId))})`)
  if (!accepted?.agency_org_id) throw unknownToken()
  const { outcome, agency_org_id: agencyOrgId, invitation_id: invitationId } = accepted
  switch (outcome) {
    case 'unknown':
      throw unknownToken()
    case 'own':
      throw conflict(
        'own_invitation',
        'An agency cannot accept its own invitation. Give the link to an owner of the client, or send the token with an API key that the client made itself.',
      )
    case 'already_linked':
      throw conflict(
        'client_already_linked',
        'This organization is a client of that agency already. There is nothing to accept.',
      )
    case 'full':
      throw tooManyClients()
  }
  // Otherwise an agency could pass its client on to other agencies, even after its own link was cut.
  if (keyOf !== tx.orgId)
    throw forbidden(
      'role_too_low',
      'An API key that an agency made cannot accept the invitation of another agency. Ask an owner of the client, or use a key that the client made itself',
    )
  const agency = await findAgency(tx, agencyOrgId)
  if (!agency) throw new Error('An agency that was just linked is missing')
  const data = { invitation_id: invitationId, name: agency.name }
  await recordEvents(tx, [{ type: 'org.agency_linked', objectId: agencyOrgId, data }])
  return agency
}

/** Returns the agency whose invitation has this token, and changes nothing. @throws what `acceptInvitation` throws */
export async function previewInvitation(tx: OrgTx, caller: Caller, token: string): Promise<PreviewedAgency> {
  await tx.run(sql`savepoint preview`)
  const { org_id, name } = await acceptInvitation(tx, caller, token)
  await tx.run(sql`rollback to savepoint preview`)
  return { org_id, name }
}

const findAgency = (tx: OrgTx, agencyOrgId: string): Promise<Agency | undefined> =>
  tx.first(sql<Agency>`
    select agency_org_id as org_id, name, floor(extract(epoch from linked_at))::bigint as linked_at
    from app.agencies() where agency_org_id = ${agencyOrgId}`)

/**
 * Requires that the caller has all permissions, because an agency may do everything in its client. The caller must
 * act on the organization that owns its key.
 * @returns the organization of the key, or the agency that created the key
 */
async function requireAllRights(tx: OrgTx, caller: Caller): Promise<string> {
  if (caller.orgId !== caller.homeOrgId) {
    throw forbidden(
      'own_organization_required',
      'An agency cannot accept an invitation for its client: use an API key of the client, without X-Target-Org-Id',
    )
  }
  await refuseInSandbox(
    tx,
    'A sandbox cannot be the client of an agency. Use an API key of the organization that made the sandbox',
  )
  const held = await lockCallerRights(tx, caller, 'organization:manage')
  // An admin also has all permissions, but only an owner may accept an agency.
  if (!covers(held.permissions, null) || held.is_below_owner) {
    throw forbidden(
      'permission_missing',
      'An agency may do everything in its client. So only an owner, or an API key with all permissions that no admin created, can accept an invitation',
    )
  }
  return held.made_by_org_id
}

/** One error text for every unusable token. Different texts would reveal whether an invitation exists. */
const unknownToken = () =>
  notFound(
    'invitation_unusable',
    'No invitation that can be accepted has this token: it is mistyped, used, revoked or expired. Ask the agency for a new one',
  )

/** Ends the link from the agency's side. @throws DomainError not_found */
export async function unlinkClient(tx: OrgTx, caller: Caller, clientOrgId: string): Promise<CutAgencyLink> {
  await requireOwner(tx, caller, 'agency:manage')
  const { name } = await findClient(tx, clientOrgId)
  const kept = await cutLink(tx, tx.orgId, clientOrgId)
  if (!kept) throw clientNotFound()
  await recordEvents(tx, [{ type: 'agency.client_unlinked', objectId: clientOrgId, data: { name } }])
  return { org_id: clientOrgId, ...kept }
}

/**
 * Ends the link from the client's side.
 * @param revokesKeys whether to delete the API keys that the agency made here and in the sandboxes
 * @throws DomainError not_found, forbidden
 */
export async function unlinkAgency(
  tx: OrgTx,
  caller: Caller,
  agencyOrgId: string,
  revokesKeys: boolean,
): Promise<CutAgency> {
  const held = await requireOwner(tx, caller, 'organization:manage')
  refuseOtherAgency(tx, caller, held, agencyOrgId)
  if (revokesKeys) await lockCallerRights(tx, caller, 'api_keys:manage')
  const agency = await findAgency(tx, agencyOrgId)
  const kept = await cutLink(tx, agencyOrgId, tx.orgId)
  if (!agency || !kept)
    throw notFound('object_not_found', 'No agency with this id is linked to this organization')
  const data = { name: agency.name }
  await recordEvents(tx, [{ type: 'org.agency_unlinked', objectId: agencyOrgId, data }])
  const cut = { org_id: agencyOrgId, ...kept, revoked_api_keys: [] }
  if (!revokesKeys) return cut
  return { ...cut, api_keys: [], revoked_api_keys: await deleteAllKeysOfAgency(tx, agencyOrgId) }
}

/**
 * Refuses a caller that would end the link of another agency: an agency, or a key that the agency made in the client. A
 * key counts as a key of its agency even after the link of that agency was cut: the agency may still know the key.
 * @throws DomainError forbidden
 */
function refuseOtherAgency(
  { orgId }: OrgTx,
  { homeOrgId }: Caller,
  { made_by_org_id: madeBy }: CallerRights,
  agencyOrgId: string,
): void {
  const actsFor = homeOrgId === orgId ? madeBy : homeOrgId
  if (actsFor !== orgId && actsFor !== agencyOrgId)
    throw forbidden(
      'role_too_low',
      'An agency, or an API key that it made, cannot cut the link of another agency, even after its own link was cut. Ask an owner of the client, or use a key that the client made itself',
    )
}

/**
 * Requires that a caller who is a member is an owner, and that no admin made the API key of the caller.
 * @throws DomainError unauthenticated, forbidden
 */
async function requireOwner(tx: OrgTx, caller: Caller, permission: string): Promise<CallerRights> {
  const held = await lockCallerRights(tx, caller, permission)
  if (held.is_below_owner)
    throw forbidden(
      'role_too_low',
      'Only an owner can cut the link between an agency and a client. An API key that an admin created cannot; ask an owner',
    )
  return held
}

type Kept = Omit<CutAgencyLink, 'org_id'>

/** Ends a link. Returns the agency's keys and members that remain in the client; null if they were not linked. */
async function cutLink(tx: OrgTx, agency: string, client: string): Promise<Kept | null> {
  const eventId = newId()
  const cut = await tx.first(sql<{ kept: Kept | null }>`
    select app.end_agency(${agency}, ${client}, ${eventId}, ${new Date(timeOf(eventId))}) as kept`)
  return cut?.kept ?? null
}
