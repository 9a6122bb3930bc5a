import { z } from 'zod'
import { type Endpoint, endpoint } from '../platform/http/endpoint.ts'
import { listEvents } from './events.ts'
import { Event, EventQuery } from './schema.ts'

export const eventEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/events',
    name: 'list_events',
    sdk: 'events.list',
    summary: 'List the events',
    description:
      'The audit log: one event for each change, committed together with the change. Newest first.',
    tag: 'Events',
    permission: 'events:read',
    query: EventQuery,
    shape: 'page',
    response: z.array(Event),
    handle: ({ org, context, query }) => listEvents(org, context.cursors, query),
  }),
]
