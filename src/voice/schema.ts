import { z } from 'zod'
import { dictionaryOf, nested } from '../platform/http/collections.ts'
import { formatted, integer, literal, refuse, strictBoolean, text } from '../platform/http/fields.ts'
import { listQuery } from '../platform/http/list.ts'
import { disclosureText } from './ai-disclosure.ts'
import { providerNames } from './credentials.ts'

/** Trimmed text; empty text is null. */
const line = (max: number) => text({ max, trim: true }).nullable().optional()

export const NumberQuery = z.object(listQuery)

export const CreateNumber = z
  .object({
    number: text({ max: 250 }).describe('E.164, or national with a default_country.'),
    label: line(120).describe('A name for people.'),
    provider_ref: line(200).describe("The provider's own id of the number, where calls have to name that."),
  })
  .meta({ title: 'CreateVoiceNumber' })

export const VoiceNumber = z
  .object({
    number_id: z.string(),
    number: z.string().describe('E.164.'),
    label: z.string().nullable(),
    provider_ref: z.string().nullable(),
    created_at: z.int().describe('Unix seconds.'),
  })
  .meta({ title: 'VoiceNumber' })

const timeOfDay = formatted(
  (value) =>
    /^([01]\d|2[0-3]):[0-5]\d$/.test(value) ? value : refuse('a time of day is HH:MM, such as 08:00'),
  { pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', examples: ['08:00'] },
)

const callingHours = nested({ start: timeOfDay, end: timeOfDay }).refine(
  ({ start, end }) => start !== end,
  'calling hours that end when they start are none: use null to call at any time',
)

export const UpdateVoiceSettings = z
  .object({
    provider: literal(...providerNames)
      .optional()
      .describe('The provider that places the calls. Keys of test mode always use the simulator.'),
    credentials: dictionaryOf(text({ min: 1, max: 2_000, trim: true }), { max: 20 })
      .nullable()
      .optional()
      .describe(
        'Those of the provider: twilio {account_sid, auth_token}, vapi {api_key, assistant_id, phone_number_id}, livekit {url, api_key, api_secret, sip_trunk_id, agent_name}. Only the credentials that you send change. They are never shown. null, with the simulator, deletes all of them.',
      ),
    allow_premium: strictBoolean()
      .optional()
      .describe('Whether premium-rate, shared-cost, personal, pager and satellite numbers may be called.'),
    concurrent_call_cap: integer({ min: 1, max: 1000 })
      .optional()
      .describe('How many calls may be under way at once.'),
    calling_hours: callingHours
      .nullable()
      .optional()
      .describe(
        "When calls may be placed, by the callee's clock; past midnight if the end is before the start. null: at any time.",
      ),
    ai_disclosure: strictBoolean()
      .optional()
      .describe(
        'Whether every call begins with a sentence that says an AI is calling. The law demands it in many places (EU AI Act, Article 50). The event `voice_settings.updated` has the old value and the new one.',
      ),
    ai_disclosure_text: disclosureText
      .nullable()
      .optional()
      .describe(
        "Your words for that sentence, in every call. null: the built-in sentence, in the language of the persona's voice, or in English.",
      ),
  })
  .meta({ title: 'UpdateVoiceSettings' })

const settings = z.object({
  provider: z.enum(providerNames),
  credentials: z
    .record(z.string(), z.string())
    .nullable()
    .describe('The provider’s credentials, each with its last characters; null: none.'),
  kept_credentials: z.array(z.string()).describe('Providers whose credentials are kept.'),
  allow_premium: z.boolean(),
  concurrent_call_cap: z.int(),
  calling_hours: z.object({ start: z.string(), end: z.string() }).nullable(),
  ai_disclosure: z.boolean().describe('Whether calls begin with a sentence that says an AI is calling.'),
  ai_disclosure_text: z.string().nullable().describe('null: the built-in sentence.'),
  subscription: z
    .object({
      status: z.enum(['active', 'past_due', 'canceled']),
      included_minutes: z.int().nullable().describe('null: no limit.'),
    })
    .describe('The operator of this installation sets it.'),
  version: z.int().describe('Rises with every change; If-Match takes it.'),
  updated_at: z.int().nullable().describe('Unix seconds; null: never changed.'),
})

export const VoiceSettings = settings
  .extend({
    callback_url: z
      .string()
      .nullable()
      .describe(
        'Where the provider reports, for those that have to be told once (LiveKit). null: the simulator, or no PUBLIC_URL.',
      ),
  })
  .meta({ title: 'VoiceSettings' })

export type NumberQuery = z.output<typeof NumberQuery>
export type CreateNumber = z.output<typeof CreateNumber>
export type VoiceNumber = z.output<typeof VoiceNumber>
export type UpdateVoiceSettings = z.output<typeof UpdateVoiceSettings>
/** The stored settings, without the callback address, which depends on PUBLIC_URL. */
export type VoiceSettings = z.output<typeof settings>
