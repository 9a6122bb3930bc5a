import { z } from 'zod'
import { type Endpoint, endpoint } from '../platform/http/endpoint.ts'
import { listEvents } from './events.ts'
import { eventsPermission, readFeed } from './feed.ts'
import { Event, EventFeed, EventQuery, FeedQuery } from './schema.ts'

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
    permission: eventsPermission,
    query: EventQuery,
    shape: 'page',
    response: z.array(Event),
    handle: ({ org, caller, context, query }) => listEvents(org, caller.payerId, context.cursors, query),
  }),
  endpoint({
    method: 'GET',
    path: '/events/feed',
    name: 'read_event_feed',
    sdk: 'events.feed',
    summary: 'Follow the events',
    description:
      'The next events after a cursor, oldest first. A reader that always sends the last `cursor` gets each event exactly once, and the events of one object in the order of its changes. The list of events cannot be followed in this way, because slow transactions commit late.',
    tag: 'Events',
    permission: eventsPermission,
    needsAllRecords: true,
    query: FeedQuery,
    shape: 'data',
    response: EventFeed,
    errors: {
      400: 'Events after the cursor were deleted',
      429: 'Ten requests of the organization wait for events already',
    },
    example: { types: 'contact.*,deal.closed', limit: 100 },
    handle: ({ org, caller, context, query, ended }) =>
      readFeed({
        ...{ org, caller, query, ended },
        ...{ cursors: context.cursors, readObjects: context.readObjects },
      }),
  }),
]
