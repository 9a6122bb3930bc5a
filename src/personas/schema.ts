import { z } from 'zod'
import { nested } from '../platform/http/collections.ts'
import { clearableText, literal, number, parsedText, refuse, text } from '../platform/http/fields.ts'
import { listQuery } from '../platform/http/list.ts'
import * as shown from '../platform/http/shown.ts'
import { withOtherRequests } from '../platform/http/unknown-names.ts'

const name = text({ min: 1, max: 120, trim: true }).describe('The name of the persona.')
const statuses = ['draft', 'active', 'archived'] as const

/** A language tag (BCP 47) in its canonical form: `en-US`. */
const language = parsedText(
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
  provider_voice_id: clearableText(200).describe(
    "The voice's id at the provider; null: the provider's default voice.",
  ),
  language: language
    .nullable()
    .optional()
    .describe('The spoken language as a BCP 47 tag; null: the default of the provider.'),
  speed: number({ min: 0.25, max: 4 })
    .nullable()
    .optional()
    .describe('The speed of the voice, as a factor: 1 is normal; null: the default of the provider.'),
}).meta({ title: 'ChangePersonaVoice' })

const fields = {
  role_title: clearableText(120).describe('The job title of the persona. Only people see it.'),
  description: clearableText(2_000).describe('The purpose of the persona. The agent does not get it.'),
  instructions: clearableText(20_000).describe(
    'The prompt of the AI agent: who it is, what it should achieve, what it must not do.',
  ),
  greeting: clearableText(1_000).describe('The first words of the AI agent.'),
  voice: voice
    .nullable()
    .optional()
    .describe('Only the fields that you send change; null clears all of them.'),
}

export const CreatePersona = z.object({ name, ...fields }).meta({ title: 'CreatePersona' })

export const UpdatePersona = withOtherRequests(z.object({ name: name.optional(), ...fields }), {
  status: 'one of POST /personas/{persona_id}/activate, …/archive and …/restore, which change the status',
}).meta({ title: 'UpdatePersona' })

export const PersonaQuery = z.object({
  status: literal(...statuses)
    .meta({ title: 'PersonaStatus' })
    .optional()
    .describe('Only personas with this status. By default the list leaves out archived personas.'),
  ...listQuery,
})

const Voice = z
  .object({
    provider_voice_id: shown
      .text('The id of the voice at the provider; null: its default voice.', 'alloy')
      .nullable(),
    language: shown
      .text('The spoken language as a BCP 47 tag; null: the default of the provider.', 'en-US')
      .nullable(),
    speed: z
      .number()
      .nullable()
      .meta({
        description: 'The speed of the voice, as a factor: 1 is normal; null: the default.',
        examples: [1.1],
      }),
  })
  .meta({ title: 'PersonaVoice' })

export const Persona = z
  .object({
    persona_id: shown.id('The id of the persona.'),
    name: shown.text('The name of the persona.', 'Mia'),
    role_title: shown.text('The job title of the persona; null: none.', 'Sales assistant').nullable(),
    description: shown
      .text('The purpose of the persona. The agent does not get it. null: none.', 'Calls new leads.')
      .nullable(),
    instructions: shown
      .text('The prompt of the AI agent; null: none.', 'Ask whether the person wants a demo.')
      .nullable(),
    voice: Voice.describe('How the AI agent speaks.'),
    greeting: shown.text('The first words of the AI agent; null: none.', 'Hello, this is Mia.').nullable(),
    status: shown.word(
      'PersonaStatus',
      statuses,
      'A new persona is a draft until it is activated.',
      'active',
    ),
    archived_at: shown.pendingTime('When the persona was archived; null: not archived.'),
    version: shown.version(),
    created_at: shown.time('When the persona was created.'),
    updated_at: shown.time('When the persona was last changed.'),
  })
  .meta({ title: 'Persona' })

export type CreatePersona = z.output<typeof CreatePersona>
export type UpdatePersona = z.output<typeof UpdatePersona>
export type PersonaQuery = z.output<typeof PersonaQuery>
export type Persona = z.output<typeof Persona>
