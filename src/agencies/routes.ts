import { z } from 'zod'
import type { Context } from '../platform/context.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { type Endpoint, endpoint } from '../platform/http/endpoint.ts'
import { createClient, findClient, listClients } from './clients.ts'
import { createInvitation, findInvitation, listInvitations, revokeInvitation } from './invitations.ts'
import { acceptInvitation, listAgencies, previewInvitation, unlinkAgency, unlinkClient } from './links.ts'
import {
  AcceptInvitation,
  Agency,
  Client,
  CreateClient,
  CreatedInvitation,
  CreateInvitation,
  CutAgency,
  CutAgencyLink,
  CutAgencyQuery,
  Invitation,
  InvitationPath,
  ListQuery,
  OrgPath,
  PreviewedAgency,
} from './schema.ts'

const tag = 'Agency'
const notTheAgency = { 403: 'The key is not an agency key, or the request acts on a client' }
const noClient = { ...notTheAgency, 404: 'This agency has no client with this id' }
const noInvitation = { ...notTheAgency, 404: 'This agency has no invitation with this id' }
const acceptErrors = {
  403: 'The API key lacks permissions or was made by an agency, or the request acts on a client',
  404: 'No invitation that can be accepted has this token',
  409: 'The agency is linked already, has 10,000 clients, or made this API key',
}
const exampleToken = 'svc_invite_2f8Jx0cQv9LmT4sYb7NpRk1WdZ6hGe3uA5iB'

/**
 * Removes the cached keys of both organizations. The cache knows where an agency's keys can act, and whose rate limit
 * they use.
 */
function forgetBoth(tx: OrgTx, context: Context, otherOrgId: string): void {
  tx.afterCommit(() => {
    context.forgetKeys(tx.orgId)
    context.forgetKeys(otherOrgId)
  })
}

const clientEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/agency/clients',
    name: 'list_agency_clients',
    sdk: 'agency.clients.list',
    summary: 'List the clients of the agency',
    description: 'The newest client first. To list clients, use an agency key without X-Target-Org-Id.',
    tag,
    permission: 'agency:read',
    query: ListQuery,
    shape: 'page',
    response: z.array(Client),
    errors: notTheAgency,
    handle: ({ org, context, query }) => listClients(org, context.cursors, query),
  }),
  endpoint({
    method: 'POST',
    path: '/agency/clients',
    name: 'create_agency_client',
    sdk: 'agency.clients.create',
    summary: 'Create a client of the agency',
    description:
      'Creates an organization and links it. To create an API key in it, send `POST /api-keys` with its id in X-Target-Org-Id. To link an organization that exists, invite it.',
    tag,
    permission: 'agency:write',
    body: CreateClient,
    status: 201,
    location: '/agency/clients/{org_id}',
    shape: 'data',
    response: Client,
    errors: { ...notTheAgency, 409: 'The agency has 10,000 clients' },
    example: { name: 'Northwind Traders', default_country: 'US' },
    handle: ({ org, context, body }) =>
      org.transact((tx) => {
        tx.afterCommit(() => context.forgetKeys(org.orgId))
        return createClient(tx, body)
      }),
  }),
  endpoint({
    method: 'GET',
    path: '/agency/clients/{org_id}',
    name: 'get_agency_client',
    sdk: 'agency.clients.get',
    summary: 'Read a client of the agency',
    tag,
    permission: 'agency:read',
    params: OrgPath,
    shape: 'data',
    response: Client,
    errors: noClient,
    handle: ({ org, params }) => org.read((tx) => findClient(tx, params.org_id)),
  }),
  endpoint({
    method: 'DELETE',
    path: '/agency/clients/{org_id}',
    name: 'cut_agency_client',
    sdk: 'agency.clients.unlink',
    summary: 'Cut the link to a client',
    description:
      'The client and its data remain. Requests that name the client in X-Target-Org-Id are refused at once on this node, and within 2 seconds on others. API keys that the agency created in the client still work, and members whom its people invited remain; the answer lists both. Open invitations of its people stop working.',
    tag,
    permission: 'agency:manage',
    confirm: true,
    params: OrgPath,
    shape: 'data',
    response: CutAgencyLink,
    errors: noClient,
    handle: ({ org, caller, context, params }) =>
      org.transact((tx) => {
        forgetBoth(tx, context, params.org_id)
        return unlinkClient(tx, caller, params.org_id)
      }),
  }),
]

const invitationEndpoints: Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/agency/invitations',
    name: 'create_agency_invitation',
    sdk: 'agency.invitations.create',
    summary: 'Invite an organization to become a client',
    description:
      'Only this answer has the token. Give the token to the client, which accepts the invitation with `POST /organization/agencies`.',
    tag,
    permission: 'agency:manage',
    body: CreateInvitation,
    status: 201,
    location: '/agency/invitations/{invitation_id}',
    shape: 'data',
    response: CreatedInvitation,
    holdsSecret: 'invitation_id',
    errors: { ...notTheAgency, 409: 'The agency has 1,000 pending invitations' },
    example: { label: 'Northwind Traders' },
    handle: ({ org, body }) => org.transact((tx) => createInvitation(tx, body)),
  }),
  endpoint({
    method: 'GET',
    path: '/agency/invitations',
    name: 'list_agency_invitations',
    sdk: 'agency.invitations.list',
    summary: 'List the invitations of the agency',
    description: 'The newest first, including accepted and expired invitations, without tokens.',
    tag,
    permission: 'agency:read',
    query: ListQuery,
    shape: 'page',
    response: z.array(Invitation),
    errors: notTheAgency,
    handle: ({ org, context, query }) => listInvitations(org, context.cursors, query),
  }),
  endpoint({
    method: 'GET',
    path: '/agency/invitations/{invitation_id}',
    name: 'get_agency_invitation',
    sdk: 'agency.invitations.get',
    summary: 'Read an invitation',
    description: '`client_org_id` shows which organization accepted it.',
    tag,
    permission: 'agency:read',
    params: InvitationPath,
    shape: 'data',
    response: Invitation,
    errors: noInvitation,
    handle: ({ org, params }) => org.read((tx) => findInvitation(tx, params.invitation_id)),
  }),
  endpoint({
    method: 'DELETE',
    path: '/agency/invitations/{invitation_id}',
    name: 'revoke_agency_invitation',
    sdk: 'agency.invitations.revoke',
    summary: 'Revoke an invitation',
    description: 'Deletes the invitation, so that its token is refused.',
    tag,
    permission: 'agency:manage',
    params: InvitationPath,
    shape: 'none',
    errors: { ...noInvitation, 409: 'An organization accepted the invitation' },
    handle: ({ org, params }) =>
      org.transact(async (tx) => {
        await revokeInvitation(tx, params.invitation_id)
        return undefined
      }),
  }),
]

const linkEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/organization/agencies',
    name: 'list_agencies',
    sdk: 'organization.agencies.list',
    summary: 'List the agencies that can act on the organization',
    tag: 'Organization',
    permission: 'organization:read',
    query: ListQuery,
    shape: 'page',
    response: z.array(Agency),
    handle: ({ org, context, query }) => listAgencies(org, context.cursors, query),
  }),
  endpoint({
    method: 'POST',
    path: '/organization/agencies',
    name: 'accept_agency_invitation',
    sdk: 'organization.agencies.accept',
    summary: 'Accept the invitation of an agency',
    description:
      'The agency can then do everything in the organization, with X-Target-Org-Id. This works at once on this node, and within 2 seconds on others. The call needs an API key of the organization itself with all permissions.',
    tag: 'Organization',
    permission: 'organization:manage',
    confirm: true,
    body: AcceptInvitation,
    status: 201,
    shape: 'data',
    response: Agency,
    errors: acceptErrors,
    example: { token: exampleToken },
    handle: ({ org, caller, context, body }) =>
      org.transact(async (tx) => {
        const agency = await acceptInvitation(tx, caller, body.token)
        forgetBoth(tx, context, agency.org_id)
        return agency
      }),
  }),
  endpoint({
    method: 'POST',
    path: '/organization/agencies/preview',
    name: 'preview_agency_invitation',
    sdk: 'organization.agencies.preview',
    summary: 'Read which agency sent an invitation',
    description:
      'Shows the agency that made the invitation, and changes nothing. It has the requirements and the errors of `POST /organization/agencies`.',
    tag: 'Organization',
    permission: 'organization:manage',
    body: AcceptInvitation,
    shape: 'data',
    response: PreviewedAgency,
    errors: acceptErrors,
    example: { token: exampleToken },
    handle: ({ org, caller, body }) => org.transact((tx) => previewInvitation(tx, caller, body.token)),
  }),
  endpoint({
    method: 'DELETE',
    path: '/organization/agencies/{org_id}',
    name: 'cut_agency',
    sdk: 'organization.agencies.unlink',
    summary: 'Cut the link to an agency',
    description:
      'The agency can no longer act on the organization: at once on this node, and within 2 seconds on others. API keys that the agency created in the organization still work, unless you send `revoke_keys=true`. This also deletes its keys in the sandboxes of the organization. Members whom its people invited remain. The answer lists both: `DELETE /api-keys/{api_key_id}` deletes a key, and an owner or admin removes members in the console. Open invitations of its people stop working.',
    tag: 'Organization',
    permission: 'organization:manage',
    confirm: true,
    params: OrgPath,
    query: CutAgencyQuery,
    shape: 'data',
    response: CutAgency,
    errors: { 404: 'No agency with this id is linked to the organization' },
    handle: ({ org, caller, context, params, query }) =>
      org.transact((tx) => {
        forgetBoth(tx, context, params.org_id)
        return unlinkAgency(tx, caller, params.org_id, query.revoke_keys)
      }),
  }),
]

export const agencyEndpoints: Endpoint[] = [...clientEndpoints, ...invitationEndpoints, ...linkEndpoints]
