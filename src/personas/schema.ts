import { z } from 'zod'
import { nested } from '../platform/http/collections.ts'
import { formatted, literal, number, refuse, text } from '../platform/http/fields.ts'
import { listQuery } from '../platform/http/list.ts'

const name = text({ min: 1, max: 120, trim: true })

/** Text that is trimmed; empty text clears, as null does. */
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
const notLanguage = 'a language is a tag of BCP 47, such as en-US'

const voice = nested({
  provider_voice_id: line(200).describe("The voice's id at the provider; null: the provider's usual one."),
  language: language.nullable().optional(),
  speed: number({ min: 0.25, max: 4 })
    .nullable()
    .optional()
    .describe('1 is as the voice speaks by itself; null: as the provider has it.'),
})

const fields = {
  role_title: line(120),
  description: line(2_000).describe('For people: what the persona is for.'),
  instructions: line(20_000).describe(
    'What the AI agent is told: who it is, what it wants, what it must not do.',
  ),
  greeting: line(1_000).describe('What it says first.'),
  voice: voice.nullable().optional().describe('Only its members that are sent change; null clears them all.'),
}

export const CreatePersona = z.object({ name, ...fields }).meta({ title: 'CreatePersona' })

export const UpdatePersona = z.object({ name: name.optional(), ...fields }).meta({ title: 'UpdatePersona' })

export const PersonaQuery = z.object({
  status: literal('draft', 'active', 'archived')
    .optional()
    .describe('Only personas of this status; without it all but archived ones.'),
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
    version: z.int().describe('Rises with every change; If-Match takes it.'),
    created_at: z.int().describe('Unix seconds.'),
    updated_at: z.int().describe('Unix seconds.'),
  })
  .meta({ title: 'Persona' })

export type CreatePersona = z.output<typeof CreatePersona>
export type UpdatePersona = z.output<typeof UpdatePersona>
export type PersonaQuery = z.output<typeof PersonaQuery>
export type Persona = z.output<typeof Persona>
