import { z } from 'zod'
import { requireConfirmation } from '../auth/member-gate.ts'
import { eventCatalog } from '../events/catalog.ts'
import { fullSampleOf } from '../events/samples.ts'
import { type Endpoint, endpoint } from '../platform/http/endpoint.ts'
import { ifMatch, withETag } from '../platform/http/if-match.ts'
import { changeEndpoint, createEndpoint, deleteEndpoint, findEndpoint, listEndpoints } from './endpoints.ts'
import { disableEndpoint, enableEndpoint, rotateSecret } from './lifecycle.ts'
import {
  CreatedWebhookEndpoint,
  CreateWebhookEndpoint,
  EnableEndpoint,
  EndpointPath,
  EndpointQuery,
  RotateSecret,
  UpdateWebhookEndpoint,
  WebhookEndpoint,
  WebhookEventType,
} from './schema.ts'

const base = '/webhooks/endpoints'
const path = `${base}/{endpoint_id}`
const tag = 'Webhooks'
const [read, manage] = ['webhooks:read', 'webhooks:manage']
const headers = z.object({ 'if-match': ifMatch })
const errors = {
  404: 'No webhook endpoint of this organization has this id',
  409: 'If-Match does not name the current version',
}

export const webhookEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/webhooks/event-types',
    name: 'list_webhook_event_types',
    sdk: 'webhooks.eventTypes.list',
    summary: 'List the types of events',
    description: 'Every type, with its permissions and a sample.',
    tag,
    permission: read,
    shape: 'data',
    response: z.array(WebhookEventType),
    handle: async ({ context }) =>
      eventCatalog.map(({ type, object, description, permission }) => ({
        ...{ type, object, description, permissions: [permission].flat() },
        sample: { ...fullSampleOf(type, context.sampleObject) },
      })),
  }),
  endpoint({
    method: 'GET',
    path: base,
    name: 'list_webhook_endpoints',
    sdk: 'webhooks.endpoints.list',
    summary: 'List the webhook endpoints',
    description: 'Newest first, without their secrets.',
    tag,
    permission: read,
    query: EndpointQuery,
    shape: 'page',
    response: z.array(WebhookEndpoint),
    handle: ({ org, context, query }) => listEndpoints(org, context.cursors, query),
  }),
  endpoint({
    method: 'POST',
    path: base,
    name: 'create_webhook_endpoint',
    sdk: 'webhooks.endpoints.create',
    summary: 'Create a webhook endpoint',
    description:
      'The endpoint gets every event from now on. Its mode is the mode of your API key, and it shows only what that key may read. Only this answer has the secret.',
    tag,
    permission: manage,
    confirm: true,
    body: CreateWebhookEndpoint,
    status: 201,
    location: path,
    shape: 'data',
    answerHeaders: ['ETag'],
    response: CreatedWebhookEndpoint,
    holdsSecret: 'endpoint_id',
    errors: {
      403: 'The API key may not read the objects of a type, or is not an agency key',
      404: 'No segment of this organization has this id',
      409: 'The organization has 50 webhook endpoints',
    },
    example: { url: 'https://crm.example.com/crosswalk', types: ['contact.*', 'deal.closed'] },
    handle: ({ org, caller, context, body }) =>
      org.transact(async (tx) => {
        const { secrets, config } = context
        const creation = { caller, secrets, allowPrivate: config.outboundAllowPrivate }
        return withETag(await createEndpoint(tx, body, creation))
      }),
  }),
  endpoint({
    method: 'GET',
    path,
    name: 'get_webhook_endpoint',
    sdk: 'webhooks.endpoints.get',
    summary: 'Read a webhook endpoint',
    tag,
    permission: read,
    params: EndpointPath,
    shape: 'data',
    answerHeaders: ['ETag'],
    response: WebhookEndpoint,
    errors: { 404: errors[404] },
    handle: ({ org, params }) => org.read(async (tx) => withETag(await findEndpoint(tx, params.endpoint_id))),
  }),
  endpoint({
    method: 'PATCH',
    path,
    name: 'update_webhook_endpoint',
    sdk: 'webhooks.endpoints.update',
    summary: 'Change a webhook endpoint',
    description:
      'Only the fields that you send change. Events that were not delivered yet go to the new URL.',
    tag,
    permission: manage,
    params: EndpointPath,
    headers,
    body: UpdateWebhookEndpoint,
    shape: 'data',
    answerHeaders: ['ETag'],
    response: WebhookEndpoint,
    errors: { ...errors, 403: 'The API key may not read the objects of a type, or is not an agency key' },
    example: { types: ['contact.*'], max_per_second: 20 },
    handle: ({ org, caller, context, params, headers, body, browser }) => {
      // A new URL needs the confirmation of a new endpoint, because another server would get the events. A
      // request with an API key has no browser.
      if (browser && body.url !== undefined) requireConfirmation(browser)
      return org.transact(async (tx) => {
        const change = { allowPrivate: context.config.outboundAllowPrivate, version: headers['if-match'] }
        return withETag(await changeEndpoint(tx, params.endpoint_id, body, { caller, ...change }))
      })
    },
  }),
  endpoint({
    method: 'DELETE',
    path,
    name: 'delete_webhook_endpoint',
    sdk: 'webhooks.endpoints.delete',
    summary: 'Delete a webhook endpoint',
    description: 'Also deletes its attempts, retries and replays.',
    tag,
    permission: manage,
    params: EndpointPath,
    shape: 'none',
    errors: { 404: errors[404] },
    handle: ({ org, context, params }) =>
      org.transact(async (tx) => {
        await deleteEndpoint(tx, context.secrets, params.endpoint_id)
        return undefined
      }),
  }),
  endpoint({
    method: 'POST',
    path: `${path}/rotate-secret`,
    name: 'rotate_webhook_secret',
    sdk: 'webhooks.endpoints.rotateSecret',
    summary: 'Replace the secret of a webhook endpoint',
    description:
      'Until `old_secret_expires_at`, both secrets sign each request, so that you can deploy the new one without a gap.',
    tag,
    permission: manage,
    confirm: true,
    params: EndpointPath,
    headers,
    body: RotateSecret,
    shape: 'data',
    answerHeaders: ['ETag'],
    response: CreatedWebhookEndpoint,
    holdsSecret: 'endpoint_id',
    errors: {
      ...errors,
      409: 'The previous secret still signs and grace_seconds is not 0, or If-Match does not name the current version',
    },
    example: { grace_seconds: 3600 },
    handle: ({ org, context, params, headers, body }) =>
      org.transact(async (tx) =>
        withETag(
          await rotateSecret(tx, context.secrets, params.endpoint_id, {
            ...body,
            version: headers['if-match'],
          }),
        ),
      ),
  }),
  endpoint({
    method: 'POST',
    path: `${path}/enable`,
    name: 'enable_webhook_endpoint',
    sdk: 'webhooks.endpoints.enable',
    summary: 'Enable a webhook endpoint',
    description:
      'Continues where the endpoint stopped, at most 30 days back, or with the events from now on. If the member who owns it has left, you become its owner, and it shows what you may read.',
    tag,
    permission: manage,
    params: EndpointPath,
    headers,
    body: EnableEndpoint,
    shape: 'data',
    answerHeaders: ['ETag'],
    response: WebhookEndpoint,
    errors: {
      ...errors,
      403: 'The member who owned it has left, and you may not read the objects of a type',
    },
    example: { from: 'now' },
    handle: ({ org, caller, params, headers, body }) =>
      org.transact(async (tx) => {
        const enabling = { caller, version: headers['if-match'] }
        return withETag(await enableEndpoint(tx, params.endpoint_id, body, enabling))
      }),
  }),
  endpoint({
    method: 'POST',
    path: `${path}/disable`,
    name: 'disable_webhook_endpoint',
    sdk: 'webhooks.endpoints.disable',
    summary: 'Disable a webhook endpoint',
    description: 'The endpoint gets nothing until it is enabled.',
    tag,
    permission: manage,
    params: EndpointPath,
    headers,
    shape: 'data',
    answerHeaders: ['ETag'],
    response: WebhookEndpoint,
    errors,
    handle: ({ org, params, headers }) =>
      org.transact(async (tx) =>
        withETag(await disableEndpoint(tx, params.endpoint_id, headers['if-match'])),
      ),
  }),
]
