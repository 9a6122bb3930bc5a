import { z } from 'zod'
import { roles } from '../auth/roles.ts'
import { country, orgName } from '../orgs/schema.ts'
import { boolean, id, integer, text } from '../platform/http/fields.ts'
import { listQuery } from '../platform/http/list.ts'
import * as shown from '../platform/http/shown.ts'

export const OrgPath = z.object({ org_id: id().describe('The id of the other organization.') })
export const InvitationPath = z.object({ invitation_id: id().describe('The id of the invitation.') })
export const ListQuery = z.object(listQuery)

export const CreateClient = z
  .object({
    name: orgName.describe('The name of the client.'),
    default_country: country
      .nullable()
      .optional()
      .describe('The country of phone numbers without a country code.'),
  })
  .meta({ title: 'CreateAgencyClient' })

export const CreateInvitation = z
  .object({
    label: text({ min: 1, max: 200, trim: true })
      .nullable()
      .optional()
      .describe('A note for yourself, such as the name of the client. The client does not see it.'),
    expires_in_days: integer({ min: 1, max: 30 }).default(7).describe('Days until the token stops working.'),
  })
  .meta({ title: 'CreateAgencyInvitation' })

export const AcceptInvitation = z
  .object({
    token: text({ min: 1, max: 200, trim: true }).describe(
      'The token that the agency got with its invitation. It works once.',
    ),
  })
  .meta({ title: 'AcceptAgencyInvitation' })

export const Client = z
  .object({
    org_id: shown.id('The organization that is the client.'),
    name: shown.text('The name of the client.', 'Northwind'),
    default_country: shown
      .text('The country of phone numbers without a country code; null: none.', 'US')
      .nullable(),
    created_at: shown.time('When the organization was created.'),
    linked_at: shown.time('When the organization became your client.'),
  })
  .meta({ title: 'AgencyClient' })

export const Agency = z
  .object({
    org_id: shown.id('The organization that is the agency.'),
    name: shown.text('The name of the agency.', 'Bright Agency'),
    linked_at: shown.time('When your organization became a client of the agency.'),
  })
  .meta({ title: 'Agency' })

export const PreviewedAgency = z
  .object({
    org_id: shown.id('The organization that is the agency.'),
    name: shown.text('The name of the agency.', 'Bright Agency'),
  })
  .meta({ title: 'PreviewedAgency' })

const invitation = {
  invitation_id: shown.id('The id of the invitation.'),
  label: shown.text('Your note; null: none.', 'Northwind').nullable(),
  status: shown.word(
    'InvitationStatus',
    ['pending', 'accepted', 'expired'],
    'There is no status for a revoked invitation, because revoking deletes it.',
  ),
  token_hint: shown.text('The last four characters of the token.', 'x7Qa'),
  created_at: shown.time('When the invitation was created.'),
  expires_at: shown.time('When the token stops working.'),
  accepted_at: shown.pendingTime('When the invitation was accepted; null: not yet.'),
  client_org_id: shown
    .id('The organization that accepted the invitation; null: none yet.')
    .nullable()
    .meta({ examples: [null] }),
}

export const Invitation = z.object(invitation).meta({ title: 'AgencyInvitation' })

export const CreatedInvitation = z
  .object({
    ...invitation,
    token: shown.text('Shown only in this answer. Give it to the client.', 'svc_invite_…'),
  })
  .meta({ title: 'CreatedAgencyInvitation' })

const KeptKey = z
  .object({
    api_key_id: shown.id('The id of the API key.'),
    name: shown.text('The label of the API key.', 'Nightly import'),
  })
  .meta({ title: 'KeptApiKey' })

const KeptMember = z
  .object({
    member_id: shown.id('The id of the member.'),
    name: shown.text('The name of the member.', 'Ada Lovelace'),
    role: shown.word('Role', roles, 'What the member may do.', 'admin'),
  })
  .meta({ title: 'KeptMember' })

export const CutAgencyLink = z
  .object({
    org_id: shown.id('The organization whose link was cut.'),
    api_keys: z
      .array(KeptKey)
      .describe(
        'API keys that the agency created in the client. These keys still work until somebody deletes them.',
      ),
    members: z
      .array(KeptMember)
      .describe(
        'Members of the client whom people of the agency invited. They remain members until somebody removes them.',
      ),
  })
  .meta({ title: 'CutAgencyLink' })

export const CutAgency = CutAgencyLink.extend({
  revoked_api_keys: z
    .array(KeptKey)
    .describe('API keys that the agency created here, and that this request deleted, with `revoke_keys`.'),
}).meta({ title: 'CutAgency' })

export const CutAgencyQuery = z.object({
  revoke_keys: boolean()
    .default(false)
    .describe(
      'Whether to delete all API keys that the agency created here, and the keys that these keys created. This also needs `api_keys:manage`.',
    ),
})

export type ListQuery = z.output<typeof ListQuery>
export type CreateClient = z.output<typeof CreateClient>
export type CreateInvitation = z.output<typeof CreateInvitation>
export type Client = z.output<typeof Client>
export type Agency = z.output<typeof Agency>
export type PreviewedAgency = z.output<typeof PreviewedAgency>
export type Invitation = z.output<typeof Invitation>
export type CreatedInvitation = z.output<typeof CreatedInvitation>
export type CutAgency = z.output<typeof CutAgency>
export type CutAgencyLink = z.output<typeof CutAgencyLink>
