import { z } from 'zod'
import { country, orgName } from '../orgs/schema.ts'
import { id, integer, text } from '../platform/http/fields.ts'
import { listQuery } from '../platform/http/list.ts'

export const OrgPath = z.object({ org_id: id() })
export const InvitationPath = z.object({ invitation_id: id() })
export const ListQuery = z.object(listQuery)

export const CreateClient = z.object({
  name: orgName,
  default_country: country.nullable().optional(),
})

export const CreateInvitation = z.object({
  label: text({ min: 1, max: 200, trim: true })
    .nullable()
    .optional()
    .describe('A note for yourself, such as the name of the client. The client does not see it.'),
  expires_in_days: integer({ min: 1, max: 30 }).default(7).describe('Days until the token stops working.'),
})

export const AcceptInvitation = z.object({
  token: text({ min: 1, max: 200, trim: true }).describe(
    'The token that the agency got with its invitation. It works once.',
  ),
})

export const Client = z
  .object({
    org_id: z.string(),
    name: z.string(),
    default_country: z.string().nullable(),
    created_at: z.int().describe('Unix seconds.'),
    linked_at: z.int().describe('Unix seconds.'),
  })
  .meta({ title: 'AgencyClient' })

export const Agency = z
  .object({
    org_id: z.string(),
    name: z.string(),
    linked_at: z.int().describe('Unix seconds.'),
  })
  .meta({ title: 'Agency' })

const invitation = {
  invitation_id: z.string(),
  label: z.string().nullable(),
  status: z
    .enum(['pending', 'accepted', 'expired'])
    .describe('A revoked invitation is deleted, and its status is not shown.'),
  token_hint: z.string().describe('The last four characters of the token.'),
  created_at: z.int().describe('Unix seconds.'),
  expires_at: z.int().describe('Unix seconds.'),
  accepted_at: z.int().nullable().describe('Unix seconds.'),
  client_org_id: z.string().nullable().describe('The organization that accepted the invitation.'),
}

export const Invitation = z.object(invitation).meta({ title: 'AgencyInvitation' })

export const CreatedInvitation = z
  .object({ ...invitation, token: z.string().describe('Shown this once. Give it to the client.') })
  .meta({ title: 'CreatedAgencyInvitation' })

export const CutLink = z
  .object({
    org_id: z.string().describe('The organization whose link was cut.'),
    api_keys: z
      .array(z.object({ api_key_id: z.string(), name: z.string() }))
      .describe('API keys that the agency made in the client. They still work until somebody deletes them.'),
  })
  .meta({ title: 'CutAgencyLink' })

export type ListQuery = z.output<typeof ListQuery>
export type CreateClient = z.output<typeof CreateClient>
export type CreateInvitation = z.output<typeof CreateInvitation>
export type Client = z.output<typeof Client>
export type Agency = z.output<typeof Agency>
export type Invitation = z.output<typeof Invitation>
export type CreatedInvitation = z.output<typeof CreatedInvitation>
export type CutLink = z.output<typeof CutLink>
