import { z } from 'zod'
import { dictionaryOf, nested } from '../platform/http/collections.ts'
import {
  clearableText,
  integer,
  literal,
  parsedText,
  refuse,
  strictBoolean,
  text,
} from '../platform/http/fields.ts'
import { listQuery } from '../platform/http/list.ts'
import * as shown from '../platform/http/shown.ts'
import { disclosureText } from './ai-disclosure.ts'
import { providerNames } from './credentials.ts'

export const NumberQuery = z.object(listQuery)

export const CreateNumber = z
  .object({
    number: text({ max: 250 }).describe(
      'A phone number in E.164. National form also works if a default_country is set.',
    ),
    label: clearableText(120).describe('A name for people.'),
    provider_ref: clearableText(200).describe("The provider's id of the number, if its calls need that."),
  })
  .meta({ title: 'CreateVoiceNumber' })

export const VoiceNumber = z
  .object({
    number_id: shown.id('The id of the number.'),
    number: shown.text('The phone number in E.164.', '+14155550100'),
    label: shown.text('A name for people; null: none.', 'Sales').nullable(),
    provider_ref: shown.text('The id of the number at the provider; null: none.', 'PN0123456789').nullable(),
    created_at: shown.time('When the number was added.'),
  })
  .meta({ title: 'VoiceNumber' })

const timeOfDay = parsedText(
  (value) =>
    /^([01]\d|2[0-3]):[0-5]\d$/.test(value) ? value : refuse('a time of day is HH:MM, such as 08:00'),
  { pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', examples: ['08:00'] },
)

export const callingHours = nested({
  start: timeOfDay.describe('The time at which the calling hours begin, as HH:MM.'),
  end: timeOfDay.describe('The time at which the calling hours end, as HH:MM.'),
})
  .refine(
    ({ start, end }) => start !== end,
    'calling hours must not end when they start: use null to call at any time',
  )
  .meta({ title: 'ChangeCallingHours' })

export const CallingHours = z
  .object({
    start: shown.text('The time at which the calling hours begin, as HH:MM.', '09:00'),
    end: shown.text('The time at which the calling hours end, as HH:MM.', '18:00'),
  })
  .meta({ title: 'CallingHours' })

const Subscription = z
  .object({
    status: shown.word(
      'SubscriptionStatus',
      ['active', 'past_due', 'canceled'],
      'The status of the subscription. Calls need the status `active`, even in test mode.',
    ),
    included_minutes: shown.count('Minutes of live calls in a month; null: no limit.', 1000).nullable(),
  })
  .meta({ title: 'VoiceSubscription' })

export const UpdateVoiceSettings = z
  .object({
    provider: literal(...providerNames)
      .meta({ title: 'VoiceProvider' })
      .optional()
      .describe('The provider that places the calls. Keys of test mode always use the simulator.'),
    credentials: dictionaryOf(text({ min: 1, max: 2_000, trim: true }), { max: 20 })
      .nullable()
      .optional()
      .describe(
        'The credentials that the provider needs: twilio {account_sid, auth_token}, vapi {api_key, assistant_id, phone_number_id}, livekit {url, api_key, api_secret, sip_trunk_id, agent_name}. Only the credentials that you send change. Answers show at most their last four characters. To delete all credentials, send null together with the provider `simulator`.',
      ),
    allow_premium: strictBoolean()
      .optional()
      .describe('Whether premium-rate, shared-cost, personal, pager and satellite numbers may be called.'),
    concurrent_call_cap: integer({ min: 1, max: 1000 })
      .optional()
      .describe('The maximum number of calls that run at once.'),
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
        "Your own text for the sentence that says an AI is calling. null: the built-in sentence, in the language of the persona's voice, or in English.",
      ),
  })
  .meta({ title: 'UpdateVoiceSettings' })

const settings = z.object({
  provider: shown.word(
    'VoiceProvider',
    providerNames,
    'The provider that places the calls. API keys of test mode always use the simulator.',
    'twilio',
  ),
  credentials: z
    .record(z.string(), z.string())
    .nullable()
    .meta({
      description: 'The provider’s credentials, each with its last characters; null: none.',
      examples: [{ account_sid: '…6789', auth_token: '…c4d5' }],
    }),
  kept_credentials: z
    .array(z.string())
    .meta({ description: 'Providers whose credentials are stored.', examples: [['twilio']] }),
  allow_premium: shown.flag(
    'Whether premium-rate, shared-cost, personal, pager and satellite numbers may be called.',
  ),
  concurrent_call_cap: shown.count('The maximum number of calls that run at once.', 10),
  calling_hours: CallingHours.nullable().describe(
    'When calls may be placed, by the clock of the callee; null: at any time.',
  ),
  ai_disclosure: shown.flag('Whether calls begin with a sentence that says an AI is calling.', true),
  ai_disclosure_text: shown
    .text(
      'Your own text for the sentence that says an AI is calling; null: the built-in sentence.',
      'An AI assistant is calling.',
    )
    .nullable(),
  subscription: Subscription.describe(
    'The subscription for calls, which the operator of this installation sets.',
  ),
  version: shown.version(),
  updated_at: shown.time('When the settings were last changed; null: never.').nullable(),
})

export const VoiceSettings = settings
  .extend({
    callback_url: z
      .string()
      .nullable()
      .meta({
        description:
          'The address at which the provider reports the progress of calls. LiveKit needs it in its configuration. null: the simulator, or no PUBLIC_URL.',
        examples: [null],
      }),
  })
  .meta({ title: 'VoiceSettings' })

export type NumberQuery = z.output<typeof NumberQuery>
export type CreateNumber = z.output<typeof CreateNumber>
export type VoiceNumber = z.output<typeof VoiceNumber>
export type UpdateVoiceSettings = z.output<typeof UpdateVoiceSettings>
export type VoiceSettings = z.output<typeof settings>
