import { z } from 'zod'
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts'
import { sendSample } from '../delivery/send-sample.ts'
import { endpointNotFound, findEndpoint } from '../endpoints.ts'
import {
  AttemptQuery,
  EndpointPath,
  StatsQuery,
  TestEndpoint,
  WebhookAttempt,
  WebhookStats,
  WebhookTest,
} from '../schema.ts'
import { listAttempts, readStats } from './attempts.ts'
import { reserveTestSend } from './test-sends.ts'

const path = '/webhooks/endpoints/{endpoint_id}'
const tag = 'Webhooks'
const [read, manage] = ['webhooks:read', 'webhooks:manage']
const notFound = { 404: 'No webhook endpoint of this organization has this id' }

export const attemptEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: `${path}/attempts`,
    name: 'list_webhook_attempts',
    sdk: 'webhooks.attempts.list',
    summary: 'List the attempts of a webhook endpoint',
    description: 'The requests of the last 7 days, newest first.',
    tag,
    permission: read,
    params: EndpointPath,
    query: AttemptQuery,
    shape: 'page',
    response: z.array(WebhookAttempt),
    errors: notFound,
    handle: async ({ org, context, params, query }) => {
      await org.read((tx) => findEndpoint(tx, params.endpoint_id))
      return listAttempts(org, context.cursors, params.endpoint_id, query)
    },
  }),
  endpoint({
    method: 'GET',
    path: `${path}/stats`,
    name: 'get_webhook_stats',
    sdk: 'webhooks.stats.get',
    summary: 'Read how many requests succeeded',
    tag,
    permission: read,
    params: EndpointPath,
    query: StatsQuery,
    shape: 'data',
    response: WebhookStats,
    errors: notFound,
    handle: ({ org, params, query }) =>
      org.read(async (tx) => {
        await findEndpoint(tx, params.endpoint_id)
        return readStats(tx, params.endpoint_id, query)
      }),
  }),
  endpoint({
    method: 'POST',
    path: `${path}/test`,
    name: 'test_webhook_endpoint',
    sdk: 'webhooks.endpoints.test',
    summary: 'Send a sample event now',
    description:
      'Sends the sample of a type, even to a disabled endpoint, and answers with the result. The list of attempts does not show it.',
    tag,
    permission: manage,
    params: EndpointPath,
    body: TestEndpoint,
    effect: 'none',
    shape: 'data',
    response: WebhookTest,
    errors: { ...notFound, 429: 'The organization sends three test events already' },
    example: { type: 'contact.updated' },
    handle: async ({ org, caller, context, params, body }) => {
      await org.read((tx) => findEndpoint(tx, params.endpoint_id))
      const leave = reserveTestSend(caller)
      const sent = await sendSample(org, context, params.endpoint_id, body.type).finally(leave)
      if (sent === null) throw endpointNotFound()
      const { eventId, trial } = sent
      const { meaning, status, durationMs, error, excerpt } = trial
      const outcome = meaning === 'delivered' ? ('delivered' as const) : ('failed' as const)
      return { event_id: eventId, outcome, status, duration_ms: durationMs, error, response_excerpt: excerpt }
    },
  }),
]
