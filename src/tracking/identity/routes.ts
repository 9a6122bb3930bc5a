import { requirePermission } from '../../auth/permissions.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts'
import { acceptClaim, undoLink } from './claims.ts'
import { readIdentity } from './read-identity.ts'
import {
  AcceptClaim,
  IdentityMode,
  IdentityPath,
  IdentitySecret,
  LinkPath,
  NewIdentitySecret,
  RotateIdentitySecret,
  VisitorIdentity,
} from './schema.ts'
import { deleteIdentitySecret, readIdentitySecret, rotateIdentitySecret } from './secret.ts'

const secretPath = '/tracking/identity-secret'
const visitorPath = '/visitors/{visitor_id}'
const tag = 'Tracking'

async function identityOf(
  tx: OrgTx,
  visitorId: string,
  mode: 'live' | 'test',
  mergeId: string | null,
): Promise<VisitorIdentity> {
  return { visitor_id: visitorId, ...(await readIdentity(tx, visitorId, mode)), merge_id: mergeId }
}

export const identityEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: secretPath,
    name: 'get_identity_secret',
    sdk: 'tracking.identitySecret.get',
    summary: 'Read the state of the identity secret',
    description: 'The secret itself is shown only when it is made.',
    tag,
    permission: 'tracking:read',
    shape: 'data',
    response: IdentitySecret,
    handle: ({ org }) => org.read(readIdentitySecret),
  }),
  endpoint({
    method: 'POST',
    path: `${secretPath}/rotate`,
    name: 'rotate_identity_secret',
    sdk: 'tracking.identitySecret.rotate',
    summary: 'Make or replace the identity secret',
    description:
      'With this secret, your server signs who its users are. An identify call with such a proof confirms who the visitor is. Without a proof, it is only a claim. The answer shows the secret once. The old secret is accepted for `grace_seconds` more: by default 7 days.',
    tag,
    permission: 'tracking:manage',
    confirm: true,
    body: RotateIdentitySecret,
    shape: 'data',
    response: NewIdentitySecret,
    holdsSecret: 'org_id',
    errors: { 409: 'The previous secret is still accepted and grace_seconds is not 0' },
    example: { grace_seconds: 86_400 },
    handle: ({ org, context, body }) =>
      org.transact((tx) => rotateIdentitySecret(tx, context.secrets, body.grace_seconds)),
  }),
  endpoint({
    method: 'DELETE',
    path: secretPath,
    name: 'delete_identity_secret',
    sdk: 'tracking.identitySecret.delete',
    summary: 'Delete the identity secret',
    description: 'From then on, an identify call of a page is only a claim. Links that exist stay.',
    tag,
    permission: 'tracking:manage',
    confirm: true,
    shape: 'none',
    errors: { 404: 'The organization has no identity secret' },
    handle: ({ org, context }) =>
      org.transact(async (tx) => {
        await deleteIdentitySecret(tx, context.secrets)
        return undefined
      }),
  }),
  endpoint({
    method: 'POST',
    path: `${visitorPath}/claims/accept`,
    name: 'accept_visitor_claim',
    sdk: 'visitors.claims.accept',
    summary: 'Accept a claim of a visitor',
    description:
      'Links the visitor to the person, and merges the own contact of the visitor into the contact of the person. An undo of the merge separates the two contacts. If the person has no contact, the own contact becomes the person’s contact. Also needs `contacts:write`.',
    tag,
    permission: 'visitors:write',
    params: IdentityPath,
    query: IdentityMode,
    body: AcceptClaim,
    shape: 'data',
    response: VisitorIdentity,
    errors: {
      404: 'The visitor has no such claim, or no contact of the organization has this id',
      409: 'Several contacts have the claimed id or address; the text lists their ids',
    },
    example: { claim_id: '01a20c20-4b1e-7a02-8d3a-5b6c7d8e9f01' },
    handle: ({ org, caller, context, params, query, body }) => {
      // Accepting a claim merges contacts.
      requirePermission(caller, 'contacts:write')
      return org.transact(async (tx) => {
        const mode = query.mode ?? tx.actor.mode
        const asked = { claimId: body.claim_id, contactId: body.contact_id }
        const of = { visitorId: params.visitor_id, mode }
        const mergeId = await acceptClaim(tx, of, asked, context.jobs)
        return identityOf(tx, params.visitor_id, mode, mergeId)
      })
    },
  }),
  endpoint({
    method: 'POST',
    path: `${visitorPath}/links/{link_id}/undo`,
    name: 'undo_visitor_link',
    sdk: 'visitors.links.undo',
    summary: 'Undo a link or a claim of a visitor',
    description:
      'The anonymous events of the visitor no longer belong to this person. An event that has a `userId` stays with the person whom it names. A later identify call of the same person links the visitor again. Merges of contacts stay: undo them with `POST /duplicates/undo-merge/{id}`.',
    tag,
    permission: 'visitors:write',
    params: LinkPath,
    query: IdentityMode,
    shape: 'data',
    response: VisitorIdentity,
    errors: { 404: 'The visitor has no link or claim with this id' },
    handle: ({ org, params, query }) =>
      org.transact(async (tx) => {
        const mode = query.mode ?? tx.actor.mode
        await undoLink(tx, { visitorId: params.visitor_id, mode }, params.link_id)
        return identityOf(tx, params.visitor_id, mode, null)
      }),
  }),
]
