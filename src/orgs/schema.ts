import { z } from 'zod'
import { readCountry } from '../normalize/country.ts'
import { formatted, refuse, text } from '../platform/http/fields.ts'

/** An ISO 3166-1 alpha-2 country, in upper case. */
export const country: z.ZodType<string, unknown> = formatted(
  (value) =>
    readCountry(value) ?? refuse('the country must be a two-letter code of ISO 3166-1, such as US, GB or DE'),
  { pattern: '^[A-Za-z]{2}$', examples: ['US'] },
)

export const orgName: z.ZodType<string, unknown> = text({ min: 1, max: 200, trim: true })

export const UpdateOrg = z.object({
  name: orgName.optional(),
  default_country: country
    .nullable()
    .optional()
    .describe('The country of phone numbers without a country code.'),
})

export const Org = z
  .object({
    org_id: z.string(),
    name: z.string(),
    is_agency: z
      .boolean()
      .describe('True if the organization is flagged as an agency or has linked clients.'),
    default_country: z.string().nullable(),
    sandbox_of: z
      .string()
      .nullable()
      .describe('The organization that made this sandbox; null: the organization is no sandbox.'),
  })
  .meta({ title: 'Organization' })

export const Identity = z
  .object({
    org: Org.describe('The organization of the API key.'),
    key: z.object({ api_key_id: z.string(), name: z.string() }),
    mode: z.enum(['live', 'test']),
    is_agency: z.boolean().describe('True if the API key is an agency key.'),
    permissions: z.array(z.string()).nullable().describe('null: all permissions.'),
    acting_on: Org.describe(
      'The organization that this request acts on: that of the API key, or the client in X-Target-Org-Id.',
    ),
  })
  .meta({ title: 'Identity' })

export type UpdateOrg = z.output<typeof UpdateOrg>
export type Org = z.output<typeof Org>
