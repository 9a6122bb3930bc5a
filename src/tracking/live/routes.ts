import { limitWholeLists } from '../../platform/db/long-reads.ts'
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts'
import { listWebEvents } from './live.ts'
import { WebEventPage, WebEventQuery } from './schema.ts'

export const webEventEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/tracking/events',
    name: 'list_web_events',
    sdk: 'tracking.events.list',
    summary: 'List the latest web events',
    description:
      'Newest first by the time of receipt. With a filter, a page examines at most 10,000 events. So it may have fewer events than `limit`, or none, while `next_cursor` leads to older ones.',
    tag: 'Tracking',
    permission: 'tracking:read',
    query: WebEventQuery,
    shape: 'data',
    response: WebEventPage,
    example: { type: 'track', limit: 25 },
    handle: ({ org, caller, context, query }) =>
      limitWholeLists(caller.payerId, () => listWebEvents(org, context.cursors, query)),
  }),
]
