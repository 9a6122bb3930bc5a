import { z } from 'zod'
import { readCountry } from '../normalize/country.ts'
import { parsedText, refuse, text } from '../platform/http/fields.ts'
import * as shown from '../platform/http/shown.ts'

/** An ISO 3166-1 alpha-2 country, in upper case. */
export const country: z.ZodType<string, unknown> = parsedText(
  (value) =>
    readCountry(value) ?? refuse('the country must be a two-letter code of ISO 3166-1, such as US, GB or DE'),
  { pattern: '^[A-Za-z]{2}$', examples: ['US'] },
)

export const orgName: z.ZodType<string, unknown> = text({ min: 1, max: 200, trim: true })

export const UpdateOrg = z
  .object({
    name: orgName.optional().describe('The name of the organization.'),
    default_country: country
      .nullable()
      .optional()
      .describe('The country of phone numbers without a country code.'),
  })
  .meta({ title: 'UpdateOrganization' })

export const Org = z
  .object({
    org_id: shown.id('The id of the organization.'),
    name: shown.text('The name of the organization.', 'Acme'),
    is_agency: shown.flag('True if the organization is flagged as an agency or has linked clients.'),
    default_country: shown
      .text(
        'The country of phone numbers without a country code, as in ISO 3166-1; null: such numbers are refused.',
        'US',
      )
      .nullable(),
    sandbox_of: shown
      .id('The organization that created this sandbox; null: this organization is not a sandbox.')
      .nullable()
      .meta({ examples: [null] }),
  })
  .meta({ title: 'Organization' })

const CallingKey = z
  .object({
    api_key_id: shown.id('The id of the API key.'),
    name: shown.text('The label of the API key.', 'Nightly sync'),
  })
  .meta({ title: 'CallingKey' })

export const Identity = z
  .object({
    org: Org.describe('The organization of the API key.'),
    key: CallingKey.nullable().describe('The API key that you sent; null: a member is signed in.'),
    mode: shown.mode('The mode of the API key.'),
    is_agency: shown.flag('True if the API key is an agency key.'),
    permissions: z
      .array(z.string())
      .nullable()
      .meta({
        description: 'What the API key may do; null: all permissions.',
        examples: [['contacts:read']],
      }),
    acting_on: Org.describe(
      'The organization that this request acts on: the organization of the API key, or the client in X-Target-Org-Id.',
    ),
  })
  .meta({ title: 'Identity' })

export type UpdateOrg = z.output<typeof UpdateOrg>
export type Org = z.output<typeof Org>
