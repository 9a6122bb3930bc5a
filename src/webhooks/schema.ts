import { z } from 'zod'
import { eventTypePatterns, knownEventType, shownEventType } from '../events/schema.ts'
import { boolean, id, integer, literal, strictBoolean, text, timestamp } from '../platform/http/fields.ts'
import { listQuery } from '../platform/http/list.ts'
import * as shown from '../platform/http/shown.ts'
import { withOtherRequests } from '../platform/http/unknown-names.ts'
import { endpointHeaders } from './headers.ts'

const payloads = ['full', 'thin'] as const

const url = text({ min: 1, max: 2048 }).describe(
  'Where events are sent, with https. No user name, no password and no fragment.',
)
const description = text({ max: 500 }).describe('A note of your choice.')
const types = eventTypePatterns('list').describe(
  'The types that the endpoint gets: `*`, `contact.*` or `deal.closed`.',
)
const payload = literal(...payloads).meta({
  title: 'WebhookPayload',
  description: '`full`: each event contains the object, read when the event is sent. `thin`: only its id.',
})
const includeClients = strictBoolean().describe(
  'true: the endpoint also gets the events of all clients of the agency. Needs an agency key.',
)
const maxPerSecond = integer({ min: 1, max: 500 })
  .nullable()
  .describe('The maximum number of requests a second; null: no limit.')
const maxInFlight = integer({ min: 1, max: 32 }).describe('The maximum number of requests at the same time.')
const headers = endpointHeaders().describe(
  'Up to 10 headers that each request gets, such as a key of your gateway.',
)

const segmentId = id()
  .nullable()
  .describe(
    'Only events of records that are in this segment when the event is sent; null: of all records. Not together with `include_clients`.',
  )

export const CreateWebhookEndpoint = z
  .object({
    ...{ url, types },
    description: description.default(''),
    payload: payload.default('full'),
    include_clients: includeClients.default(false),
    segment_id: segmentId.default(null),
    max_per_second: maxPerSecond.default(null),
    max_in_flight: maxInFlight.default(8),
    headers: headers.default({}),
  })
  .meta({ title: 'CreateWebhookEndpoint' })

export const UpdateWebhookEndpoint = withOtherRequests(
  z.object({
    url: url.optional(),
    types: types.optional(),
    description: description.optional(),
    payload: payload.optional(),
    include_clients: includeClients.optional(),
    segment_id: segmentId.optional(),
    max_per_second: maxPerSecond.optional(),
    max_in_flight: maxInFlight.optional(),
    headers: headers.optional(),
  }),
  { status: 'POST /webhooks/endpoints/{endpoint_id}/enable or …/disable, which change the status' },
).meta({ title: 'UpdateWebhookEndpoint' })

export const WebhookEndpoint = z
  .object({
    endpoint_id: shown.id('The id of the endpoint.'),
    url: shown.text('The URL to which events are sent.', 'https://crm.example.com/crosswalk'),
    description: shown.text('A note of your choice.', 'Mirror of contacts'),
    mode: shown.mode('live: real changes. test: only changes by test API keys.'),
    types: z
      .array(z.string())
      .meta({ description: 'The types that the endpoint gets.', examples: [['contact.*']] }),
    payload: shown.word('WebhookPayload', payloads, 'Whether events contain their object.'),
    include_clients: shown.flag('Whether the endpoint also gets the events of all clients.'),
    segment_id: shown
      .id('The endpoint gets only events of records in this segment; null: of all records.')
      .nullable()
      .meta({ examples: [null] }),
    max_per_second: shown.count('The maximum number of requests a second; null: no limit.', 50).nullable(),
    max_in_flight: shown.count('The maximum number of requests at the same time.', 8),
    headers: z
      .record(z.string(), z.string())
      .meta({ description: 'Headers that each request gets.', examples: [{}] }),
    status: shown.word(
      'WebhookEndpointStatus',
      ['enabled', 'failing', 'disabled'],
      '`failing`: five requests in a row failed; Crosswalk sends only trial requests until the endpoint accepts one. `disabled`: the endpoint gets nothing.',
    ),
    disabled_reason: shown
      .word(
        'WebhookDisabledReason',
        ['by_request', 'gone', 'no_success', 'member_left', 'segment_invalid'],
        'Why it is disabled.',
      )
      .nullable()
      .meta({
        description:
          '`by_request`: somebody disabled it. `gone`: it answered 410. `no_success`: no request succeeded for 5 days. `member_left`: the member who owned the endpoint is no longer a member, or the link of the agency that made the endpoint was cut. `segment_invalid`: the filter of its segment is not valid any more. null: it is not disabled.',
        examples: [null],
      }),
    failures: shown.count(
      'How often in a row the endpoint failed. A refused event, for example a 404, counts only after 20 refused events in a row.',
    ),
    last_success_at: shown.time('The last request that succeeded; null: none.').nullable(),
    last_failure_at: shown.pendingTime('The last request that failed since the last success; null: none.'),
    next_probe_at: shown.pendingTime(
      'When an endpoint is tried again after a failure; null: it does not wait.',
    ),
    disabled_at: shown.pendingTime('When the endpoint was disabled.'),
    old_secret_expires_at: shown.pendingTime(
      'When the previous secret stops signing; null: only one secret signs.',
    ),
    version: shown.version(),
    created_at: shown.time('When the endpoint was created.'),
    updated_at: shown.time('When the endpoint was last changed.'),
  })
  .meta({ title: 'WebhookEndpoint' })

const secret = shown.text(
  'The secret that signs requests, in the form of Standard Webhooks. Store it: it is not shown again.',
  'whsec_…',
)

export const CreatedWebhookEndpoint = WebhookEndpoint.extend({ secret }).meta({
  title: 'CreatedWebhookEndpoint',
})

export const RotateSecret = z
  .object({
    grace_seconds: integer({ min: 0, max: 604_800 })
      .default(86_400)
      .describe('For how many seconds the old secret also signs. By default a day.'),
  })
  .meta({ title: 'RotateWebhookSecret' })
  .default({ grace_seconds: 86_400 })

export const EnableEndpoint = z
  .object({
    from: literal('where_it_stopped', 'now')
      .default('where_it_stopped')
      .meta({ title: 'WebhookEnableFrom' })
      .describe('`where_it_stopped` sends the missed events of the last 30 days. `now` skips them.'),
  })
  .meta({ title: 'EnableWebhookEndpoint' })
  .default({ from: 'where_it_stopped' })

export const TestEndpoint = z
  .object({
    type: knownEventType(() => 'send one type, such as contact.created').describe(
      'The type of the sample event that is sent.',
    ),
  })
  .meta({ title: 'TestWebhookEndpoint' })

export const EndpointQuery = z.object(listQuery)

const outcomes = ['delivered', 'failed', 'exhausted'] as const

export const AttemptQuery = z.object({
  event_id: id().optional().describe('Only attempts for this event.'),
  outcome: literal(...outcomes)
    .optional()
    .meta({ title: 'WebhookOutcome' })
    .describe('Only attempts with this outcome.'),
  created_since: timestamp().optional().describe('Unix seconds. Only attempts at or after this time.'),
  ...listQuery,
})

const trial = {
  outcome: shown.word(
    'WebhookOutcome',
    outcomes,
    '`exhausted`: the last of all tries failed, and the event is not sent again automatically.',
  ),
  status: shown.count('The status of the answer; null: no complete answer came.', 200).nullable(),
  duration_ms: shown.count('How long the request took, in milliseconds.', 42),
  error: shown
    .text('Why no answer came, or what was wrong with it.', 'timed out')
    .nullable()
    .meta({ examples: [null] }),
  response_excerpt: shown
    .text('The beginning of an answer that was a failure.', 'unauthorized')
    .nullable()
    .meta({ examples: [null] }),
}

export const WebhookAttempt = z
  .object({
    attempt_id: shown.id('The id of the attempt.'),
    event_id: shown.id('The event that was sent.'),
    org_id: shown.id('The organization of the event: your own, or a client.'),
    type: shownEventType('The type of the event.'),
    number: shown.count('The number of the try, from 1.', 1),
    ...trial,
    created_at: shown.time('When the request was sent.'),
  })
  .meta({ title: 'WebhookAttempt' })

export const WebhookTest = z
  .object({ event_id: shown.id('The id of the sample event.'), ...trial })
  .meta({ title: 'WebhookTest' })

export const StatsQuery = z.object({
  from: timestamp().optional().describe('Unix seconds. By default 24 hours ago.'),
  to: timestamp().optional().describe('Unix seconds. By default now.'),
})

export const WebhookStats = z
  .object({
    hours: z
      .array(
        z
          .object({
            hour: shown.time('The beginning of the hour.'),
            delivered: shown.count('Requests that succeeded.', 120),
            failed: shown.count('Requests that failed.', 2),
            average_ms: shown.count('The average time of a request in milliseconds.', 42),
          })
          .meta({ title: 'WebhookHour' }),
      )
      .describe('The hours with requests, the oldest first. Hours are stored for 90 days.'),
    waiting_retries: shown.count('Events that wait for their next try.'),
  })
  .meta({ title: 'WebhookStats' })

export const ReplayRequest = z
  .object({
    from: timestamp().describe('Unix seconds. The beginning of the period.'),
    to: timestamp().optional().describe('Unix seconds. By default now.'),
    types: eventTypePatterns('list')
      .optional()
      .describe('Only these types. By default all that the endpoint gets.'),
    failed_only: boolean()
      .default(false)
      .describe('true: only events of the last 7 days for which every try failed.'),
  })
  .meta({ title: 'ReplayWebhooks' })

export const WebhookReplay = z
  .object({
    replay_id: shown.id('The id of the replay.'),
    endpoint_id: shown.id('The endpoint that gets the events again.'),
    from: shown.time('The beginning of the period.'),
    to: shown.time('The end of the period.'),
    types: z
      .array(z.string())
      .nullable()
      .meta({ description: 'Only these types; null: all that the endpoint gets.', examples: [null] }),
    failed_only: shown.flag('Whether only failed events are sent.'),
    status: shown.word(
      'WebhookReplayStatus',
      ['running', 'finished', 'canceled'],
      'The status of the replay. The last two are final.',
    ),
    sent: shown.count('How many events were sent again.'),
    created_at: shown.time('When the replay was requested.'),
    finished_at: shown.pendingTime('When the replay ended.'),
  })
  .meta({ title: 'WebhookReplay' })

export const WebhookResend = z
  .object({
    endpoint_id: shown.id('The endpoint that gets the event again.'),
    event_id: shown.id('The event.'),
  })
  .meta({ title: 'WebhookResend' })

export const WebhookEventType = z
  .object({
    type: shownEventType('The type of the event.'),
    object: shown.text('The kind of object that changed.', 'contact'),
    description: shown.text('What an event of this type says.', 'Fields of a contact changed.'),
    permissions: z.array(z.string()).meta({
      description: 'The permissions to read the object. One of them is enough.',
      examples: [['contacts:read']],
    }),
    sample: z.record(z.string(), z.unknown()).meta({
      description: 'A message of this type, with the example object of the reference.',
      examples: [{}],
    }),
  })
  .meta({ title: 'WebhookEventType' })

export const EndpointPath = z.object({ endpoint_id: id().describe('The id of the endpoint.') })
export const EndpointEventPath = EndpointPath.extend({ event_id: id().describe('The id of the event.') })
export const ReplayPath = z.object({ replay_id: id().describe('The id of the replay.') })

export type WebhookEndpoint = z.output<typeof WebhookEndpoint>
export type CreateWebhookEndpoint = z.output<typeof CreateWebhookEndpoint>
export type UpdateWebhookEndpoint = z.output<typeof UpdateWebhookEndpoint>
export type EnableEndpoint = z.output<typeof EnableEndpoint>
export type AttemptQuery = z.output<typeof AttemptQuery>
export type StatsQuery = z.output<typeof StatsQuery>
export type WebhookStats = z.output<typeof WebhookStats>
export type ReplayRequest = z.output<typeof ReplayRequest>
export type WebhookReplay = z.output<typeof WebhookReplay>
