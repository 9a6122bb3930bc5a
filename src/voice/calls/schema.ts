import { z } from 'zod'
import { dictionary, dictionaryOf } from '../../platform/http/collections.ts'
import { type Failure, failure } from '../../platform/http/failure.ts'
import { id, literal, strictBoolean, text, timestamp } from '../../platform/http/fields.ts'
import { listQuery } from '../../platform/http/list.ts'
import * as shown from '../../platform/http/shown.ts'
import { timezone } from '../../platform/http/timezone.ts'
import { providerNames } from '../credentials.ts'
import { numberFilter } from '../number-filter.ts'
import { callStates } from '../providers/provider.ts'

/** `dispatching`: the call is being dialed. `unknown`: the provider has not reported the outcome yet. */
const callStatuses = ['dispatching', 'unknown', ...callStates] as const
export type CallStatus = (typeof callStatuses)[number]

/** Why a call failed without ringing, or why its end is unknown. */
export const callErrors = [
  'call_refused',
  'consent_denied',
  'number_suppressed',
  'call_never_dialed',
  'call_end_unknown',
  'call_result_unknown',
] as const
export type CallError = Failure<(typeof callErrors)[number]>

export const PlaceCall = z
  .object({
    to_number: text({ max: 250 }).describe(
      'The number to call: a phone number in E.164. National form also works if a default_country is set. The number must be in use.',
    ),
    from_number: text({ max: 250 })
      .nullable()
      .optional()
      .describe("The caller id, one of the organization's numbers; optional if it has exactly one."),
    timezone: timezone
      .nullable()
      .optional()
      .describe(
        'The time zone of the callee, a name of the IANA database. Required if there are calling hours.',
      ),
    dry_run: strictBoolean().default(false).describe('true: make all checks, and place no call.'),
    persona_id: id().nullable().optional().describe('The persona that speaks.'),
    instructions: text({ max: 20_000, trim: true })
      .nullable()
      .optional()
      .describe('Instructions for this call. The AI agent gets them after the persona’s instructions.'),
    variables: dictionaryOf(text({ max: 2_000 }), { max: 100 })
      .default({})
      .describe('Texts by name. In the greeting of the persona, `{{name}}` shows the text `name`.'),
    metadata: dictionary({ maxBytes: 16_384 })
      .default({})
      .describe('Your own data; answers return it unchanged.'),
  })
  .meta({ title: 'PlaceCall' })

const ids = {
  call_id: shown.id('The id of the call.'),
  mode: shown.mode('The mode of the API key. Calls of test mode make no phone ring.'),
  provider: shown.word(
    'VoiceProvider',
    providerNames,
    'The provider of the call. In test mode, it is always the simulator.',
    'twilio',
  ),
  provider_call_id: shown
    .text('The id of the call at the provider; null: none yet.', 'CA0123456789')
    .nullable(),
  to_number: shown
    .text('The called number in E.164; null: erased together with its contact.', '+12025550100')
    .nullable(),
  from_number: shown.text('The number of the organization that calls, in E.164.', '+14155550100'),
  persona_id: shown.id('The persona that speaks; null: none.').nullable(),
  created_at: shown.time('When the call was placed.'),
}

const dispatch = z
  .unknown()
  .meta({ description: 'The unchanged answer of the provider.', examples: [{ sid: 'CA0123456789' }] })

const DialedCall = z
  .object({
    ...ids,
    status: shown.word(
      'DialedCallStatus',
      ['dispatched', 'unknown', 'failed'],
      'unknown: the provider did not say whether it dials. Crosswalk polls the provider and does not dial again; GET /voice/calls/{call_id} shows the outcome. failed: only in the answer to a retry. The first request was interrupted, and the provider has no such call.',
    ),
    dry_run: z.literal(false).describe('The request was not a dry run: it placed the call.'),
    dispatch,
  })
  .meta({ title: 'DialedCall' })

const ValidatedCall = z
  .object({
    ...ids,
    call_id: z.null().describe('A dry run places no call.'),
    status: z.literal('validated').describe('A call would be placed.'),
    dry_run: z.literal(true).describe('The request only made the checks, and placed no call.'),
    dispatch,
  })
  .meta({ title: 'ValidatedCall' })

/** A call that was dialed or, with `dry_run`, only checked. */
export const PlacedCall = z
  .discriminatedUnion('dry_run', [DialedCall, ValidatedCall])
  .meta({ title: 'PlacedCall' })

export const Call = z
  .object({
    ...ids,
    status: shown.word(
      'CallStatus',
      callStatuses,
      '`dispatching` and `unknown` are not final: another status follows. A status never moves back.',
      'completed',
    ),
    instructions: shown
      .text('Your instructions for this call; null: none.', 'Ask about the demo.')
      .nullable(),
    variables: z
      .record(z.string(), z.string())
      .meta({ description: 'Your values for instructions and greeting.', examples: [{ first_name: 'Ada' }] }),
    metadata: z
      .record(z.string(), z.unknown())
      .meta({ description: 'Your own data, unchanged.', examples: [{ campaign: 'spring' }] }),
    duration_seconds: shown.count('Seconds of conversation; null: not known yet.', 42).nullable(),
    error: failure(
      'CallFailure',
      callErrors,
      'Why the call failed; `message` has the code and the message of the provider. null: the call did not fail.',
    ),
    ended_at: shown.time('When the call ended; null: not yet.').nullable(),
  })
  .meta({ title: 'Call' })

export const CallQuery = z.object({
  status: literal(...callStatuses)
    .meta({ title: 'CallStatus' })
    .optional()
    .describe('Only calls of this status.'),
  to_number: numberFilter.optional().describe('Only calls to this number, in E.164.'),
  created_since: timestamp()
    .optional()
    .describe('Only calls that were placed at or after this time, in Unix seconds.'),
  ...listQuery,
})

const Counts = z
  .object({
    calls: shown.count('All placed calls.', 12),
    answered: shown.count('Calls that somebody answered.', 9),
    seconds: shown.count('Seconds of conversation, in calls that have ended.', 1430),
    minutes: shown.count('Minutes of conversation. The minutes of each call are rounded up.', 29),
  })
  .meta({ title: 'CallCounts' })

const Month = z
  .object({
    month: shown.text('The month in UTC, as YYYY-MM.', '2026-01'),
    live: Counts.describe('Calls of live mode.'),
    test: Counts.describe('Calls of test mode.'),
  })
  .meta({ title: 'VoiceUsageMonth' })

export const Usage = z
  .object({
    months: z.array(Month).describe('Months with calls, the latest first.'),
    included_minutes: shown.count('Minutes of live calls in a month; null: no limit.', 1000).nullable(),
    concurrent_calls: shown.count('Running live calls that count against the cap.', 1),
    concurrent_call_cap: shown.count('The maximum number of live calls that run at once.', 10),
  })
  .meta({ title: 'VoiceUsage' })

export type PlaceCall = z.output<typeof PlaceCall>
export type PlacedCall = z.output<typeof PlacedCall>
export type Call = z.output<typeof Call>
export type CallQuery = z.output<typeof CallQuery>
export type Usage = z.output<typeof Usage>
