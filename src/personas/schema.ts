import { z } from 'zod'
import { nested } from '../platform/http/collections.ts'
import { formatted, literal, number, refuse, text } from '../platform/http/fields.ts'
import { listQuery } from '../platform/http/list.ts'

const name = text({ min: 1, max: 120, trim: true })

/** Trimmed text; an empty text clears the field, like null. */
const line = (max: number) => text({ max, trim: true }).nullable().optional()

/** A language tag (BCP 47) in its canonical form: `en-US`. */
const language = formatted(
  (value) => {
    try {
      return Intl.getCanonicalLocales(value)[0] ?? refuse(notLanguage)
    } catch {
      return refuse(notLanguage)
    }
  },
  { maxLength: 35, examples: ['en-US'] },
)
const notLanguage = 'the language must be a BCP 47 tag, such as en-US'

const voice = nested({
  provider_voice_id: line(200).describe(
    "The voice's id at the provider; null: the provider's default voice.",
  ),
  language: language.nullable().optional(),
  speed: number({ min: 0.25, max: 4 })
    .nullable()
    .optional()
    .describe('1 is the voice’s normal speed; null: the provider’s default.'),
})

const fields = {
  role_title: line(120),
  description: line(2_000).describe('The purpose of the persona. The agent does not get it.'),
  instructions: line(20_000).describe(
    'The prompt of the AI agent: who it is, what it should achieve, what it must not do.',
  ),
  greeting: line(1_000).describe('The first words of the AI agent.'),
  voice: voice
    .nullable()
    .optional()
    .describe('Only the members that you send change; null clears all of them.'),
}

export const CreatePersona = z.object({ name, ...fields }).meta({ title: 'CreatePersona' })

export const UpdatePersona = z.object({ name: name.optional(), ...fields }).meta({ title: 'UpdatePersona' })

export const PersonaQuery = z.object({
  status: literal('draft', 'active', 'archived')
    .optional()
    .describe('Only personas of this status. By default all except archived ones.'),
  ...listQuery,
})

export const Persona = z
  .object({
    persona_id: z.string(),
    name: z.string(),
    role_title: z.string().nullable(),
    description: z.string().nullable(),
    instructions: z.string().nullable(),
    voice: z.object({
      provider_voice_id: z.string().nullable(),
      language: z.string().nullable(),
      speed: z.number().nullable(),
    }),
    greeting: z.string().nullable(),
    status: z.enum(['draft', 'active', 'archived']),
    archived_at: z.int().nullable().describe('Unix seconds; null: not archived.'),
    version: z.int().describe('Rises with every change. Send it in If-Match.'),
    created_at: z.int().describe('Unix seconds.'),
    updated_at: z.int().describe('Unix seconds.'),
  })
  .meta({ title: 'Persona' })

export type CreatePersona = z.output<typeof CreatePersona>
export type UpdatePersona = z.output<typeof UpdatePersona>
export type PersonaQuery = z.output<typeof PersonaQuery>
export type Persona = z.output<typeof Persona>
