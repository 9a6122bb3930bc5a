import { z } from 'zod'
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts'
import { findEndpoint } from '../endpoints.ts'
import {
  EndpointEventPath,
  EndpointPath,
  EndpointQuery,
  ReplayPath,
  ReplayRequest,
  WebhookReplay,
  WebhookResend,
} from '../schema.ts'
import { cancelReplay, findReplay, listReplays, requestReplay, requestResend } from './replays.ts'

const path = '/webhooks/endpoints/{endpoint_id}'
const tag = 'Webhooks'
const [read, manage] = ['webhooks:read', 'webhooks:manage']
const notFound = { 404: 'No webhook endpoint of this organization has this id' }
const replayNotFound = { 404: 'No replay of this organization has this id' }

export const replayEndpoints: Endpoint[] = [
  endpoint({
    method: 'POST',
    path: `${path}/replay`,
    name: 'replay_webhooks',
    sdk: 'webhooks.replays.create',
    summary: 'Send the events of a period again',
    description:
      'The replay runs at the same time as the delivery of new events. Events keep their ids, so receivers can skip known ones. While the endpoint has a `next_probe_at`, the replay waits. After a repair, `POST /webhooks/endpoints/{endpoint_id}/enable` ends this wait.',
    tag,
    permission: manage,
    params: EndpointPath,
    body: ReplayRequest,
    status: 202,
    shape: 'data',
    response: WebhookReplay,
    errors: { ...notFound, 409: 'The endpoint is disabled, or there are too many replays' },
    example: { from: 1790000000, failed_only: true },
    handle: ({ org, params, body }) => org.transact((tx) => requestReplay(tx, params.endpoint_id, body)),
  }),
  endpoint({
    method: 'GET',
    path: `${path}/replays`,
    name: 'list_webhook_replays',
    sdk: 'webhooks.replays.list',
    summary: 'List the replays of a webhook endpoint',
    description: 'Newest first. A replay is deleted 7 days after its end.',
    tag,
    permission: read,
    params: EndpointPath,
    query: EndpointQuery,
    shape: 'page',
    response: z.array(WebhookReplay),
    errors: notFound,
    handle: async ({ org, context, params, query }) => {
      await org.read((tx) => findEndpoint(tx, params.endpoint_id))
      return listReplays(org, context.cursors, params.endpoint_id, query)
    },
  }),
  endpoint({
    method: 'GET',
    path: '/webhooks/replays/{replay_id}',
    name: 'get_webhook_replay',
    sdk: 'webhooks.replays.get',
    summary: 'Read a replay',
    tag,
    permission: read,
    params: ReplayPath,
    shape: 'data',
    response: WebhookReplay,
    errors: replayNotFound,
    handle: ({ org, params }) => org.read((tx) => findReplay(tx, params.replay_id)),
  }),
  endpoint({
    method: 'POST',
    path: '/webhooks/replays/{replay_id}/cancel',
    name: 'cancel_webhook_replay',
    sdk: 'webhooks.replays.cancel',
    summary: 'Cancel a replay',
    tag,
    permission: manage,
    params: ReplayPath,
    shape: 'data',
    response: WebhookReplay,
    errors: replayNotFound,
    handle: ({ org, params }) => org.transact((tx) => cancelReplay(tx, params.replay_id)),
  }),
  endpoint({
    method: 'POST',
    path: `${path}/events/{event_id}/resend`,
    name: 'resend_webhook',
    sdk: 'webhooks.resend.create',
    summary: 'Send one event again',
    tag,
    permission: manage,
    params: EndpointEventPath,
    status: 202,
    shape: 'data',
    response: WebhookResend,
    errors: {
      404: 'The organization has no such endpoint or event',
      409: 'The endpoint is disabled, or 500 events wait to be sent again',
    },
    handle: ({ org, params }) =>
      org.transact(async (tx) => {
        await requestResend(tx, params.endpoint_id, params.event_id)
        return params
      }),
  }),
]
