import { z } from 'zod'
import { dictionary, dictionaryOf } from '../../platform/http/collections.ts'
import { type Failure, failure } from '../../platform/http/failure.ts'
import { formatted, id, literal, refuse, strictBoolean, text, timestamp } from '../../platform/http/fields.ts'
import { listQuery } from '../../platform/http/list.ts'
import { providerNames } from '../credentials.ts'
import { numberFilter } from '../number-filter.ts'
import { callStates } from '../providers/provider.ts'
import { isTimeZone } from '../time-zone.ts'

/** The status of a call. `dispatching`: it is being dialed. `unknown`: its provider has not reported the outcome yet. */
const callStatuses = ['dispatching', 'unknown', ...callStates] as const
export type CallStatus = (typeof callStatuses)[number]

/** The reasons why a call failed without ringing, or why its end is unknown. */
export const callErrors = [
  'call_refused',
  'consent_denied',
  'number_suppressed',
  'call_never_dialed',
  'call_end_unknown',
  'call_result_unknown',
] as const
export type CallError = Failure<(typeof callErrors)[number]>

const timezone = formatted(
  (value) =>
    isTimeZone(value)
      ? value
      : refuse('a timezone is a name of the IANA database, such as America/New_York or Asia/Kolkata'),
  { examples: ['America/New_York'] },
)

export const PlaceCall = z
  .object({
    to_number: text({ max: 250 }).describe(
      'The number to call: E.164, or national with a default_country. The number must be in use.',
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
    dry_run: strictBoolean().default(false).describe('true: check everything and call nobody.'),
    persona_id: id().nullable().optional().describe('The persona that speaks.'),
    instructions: text({ max: 20_000, trim: true })
      .nullable()
      .optional()
      .describe('Instructions for this call. The AI agent gets them after the persona’s instructions.'),
    variables: dictionaryOf(text({ max: 2_000 }), { max: 100 })
      .default({})
      .describe('Values that instructions and greeting may use by name.'),
    metadata: dictionary({ maxBytes: 16_384 })
      .default({})
      .describe('Your own data; answers return it unchanged.'),
  })
  .meta({ title: 'PlaceCall' })

const ids = {
  call_id: z.string(),
  mode: z.enum(['live', 'test']),
  provider: z.enum(providerNames).describe('In test mode always the simulator.'),
  provider_call_id: z.string().nullable().describe("The provider's own id of the call."),
  to_number: z.string().nullable().describe('E.164; null: erased together with its contact.'),
  from_number: z.string().describe('E.164.'),
  persona_id: z.string().nullable(),
  created_at: z.int().describe('Unix seconds.'),
}

export const PlacedCall = z
  .object({
    ...ids,
    call_id: z.string().nullable().describe('null: a dry run.'),
    status: z
      .enum(['validated', 'dispatched', 'unknown', 'failed'])
      .describe(
        'validated: a dry run. unknown: the provider did not say whether it dials. Crosswalk polls the provider and does not dial again; GET /voice/calls/{call_id} shows the outcome. failed: only for a retry, if the first request broke off and the provider has no such call.',
      ),
    dry_run: z.boolean(),
    dispatch: z.unknown().describe('The unchanged answer of the provider.'),
  })
  .meta({ title: 'PlacedCall' })

export const Call = z
  .object({
    ...ids,
    status: z
      .enum(callStatuses)
      .describe('Another status follows dispatching and unknown. A status never moves back.'),
    instructions: z.string().nullable(),
    variables: z.record(z.string(), z.string()),
    metadata: z.record(z.string(), z.unknown()),
    duration_seconds: z.int().nullable().describe('Seconds of conversation; null: not known yet.'),
    error: failure(callErrors, 'Why it failed; the message has the code and the words of the provider.'),
    ended_at: z.int().nullable().describe('Unix seconds.'),
  })
  .meta({ title: 'Call' })

export const CallQuery = z.object({
  status: literal(...callStatuses)
    .optional()
    .describe('Only calls of this status.'),
  to_number: numberFilter.optional().describe('Only calls to this number, in E.164.'),
  created_since: timestamp().optional().describe('Unix seconds: only calls placed at or after.'),
  ...listQuery,
})

const counts = {
  calls: z.int().describe('All placed calls.'),
  answered: z.int(),
  seconds: z.int().describe('Seconds of conversation, in calls that have ended.'),
  minutes: z.int().describe('Minutes of conversation. The minutes of each call are rounded up.'),
}

export const Usage = z
  .object({
    months: z
      .array(
        z.object({
          month: z.string().describe('YYYY-MM, UTC.'),
          live: z.object(counts),
          test: z.object(counts),
        }),
      )
      .describe('Months with calls, the latest first.'),
    included_minutes: z.int().nullable().describe('Of live calls in a month; null: no limit.'),
    concurrent_calls: z.int().describe('Live calls under way that count against the cap.'),
    concurrent_call_cap: z.int(),
  })
  .meta({ title: 'VoiceUsage' })

export type PlaceCall = z.output<typeof PlaceCall>
export type PlacedCall = z.output<typeof PlacedCall>
export type Call = z.output<typeof Call>
export type CallQuery = z.output<typeof CallQuery>
export type Usage = z.output<typeof Usage>
