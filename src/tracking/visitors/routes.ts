import { limitWholeLists } from '../../platform/db/long-reads.ts'
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts'
import {
  IdentifiedVisitor,
  SessionPage,
  SessionQuery,
  VisitorEventPage,
  VisitorEventQuery,
  VisitorMode,
  VisitorPage,
  VisitorPath,
  VisitorQuery,
} from './schema.ts'
import { listSessions, listVisitorEvents, listVisitors, readVisitor } from './visitors.ts'

const path = '/visitors/{visitor_id}'
const tag = 'Tracking'
const permission = 'visitors:read'
const errors = { 404: 'No visitor of this organization and mode has this id' }

export const visitorEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/visitors',
    name: 'list_visitors',
    sdk: 'visitors.list',
    summary: 'List the visitors of web pages',
    description:
      'A visitor is a browser or an app that sends an `anonymousId`. Programs, and people who refuse analytics, are not in the list.',
    tag,
    permission,
    query: VisitorQuery,
    shape: 'data',
    response: VisitorPage,
    example: { limit: 25 },
    handle: ({ org, context, query }) => listVisitors(org, context.cursors, query),
  }),
  endpoint({
    method: 'GET',
    path,
    name: 'get_visitor',
    sdk: 'visitors.get',
    summary: 'Read a visitor',
    tag,
    permission,
    params: VisitorPath,
    query: VisitorMode,
    shape: 'data',
    response: IdentifiedVisitor,
    errors,
    handle: ({ org, params, query }) => org.read((tx) => readVisitor(tx, params.visitor_id, query.mode)),
  }),
  endpoint({
    method: 'GET',
    path: `${path}/events`,
    name: 'list_visitor_events',
    sdk: 'visitors.events.list',
    summary: 'List the events of a visitor',
    description: 'Newest first by the time when they happened.',
    tag,
    permission,
    params: VisitorPath,
    query: VisitorEventQuery,
    shape: 'data',
    response: VisitorEventPage,
    errors,
    example: { limit: 25 },
    handle: ({ org, caller, context, params, query }) =>
      limitWholeLists(caller.payerId, () =>
        listVisitorEvents(org, context.cursors, params.visitor_id, query),
      ),
  }),
  endpoint({
    method: 'GET',
    path: `${path}/sessions`,
    name: 'list_visitor_sessions',
    sdk: 'visitors.sessions.list',
    summary: 'List the sessions of a visitor',
    description:
      'Newest first. A session ends after 30 minutes without an event, or when the visitor comes back from another campaign. A page is made from at most 2,000 events. So it may have fewer sessions than `limit`, and a session of more than 2,000 events is shown in parts.',
    tag,
    permission,
    params: VisitorPath,
    query: SessionQuery,
    shape: 'data',
    response: SessionPage,
    errors,
    example: { limit: 25 },
    handle: ({ org, context, params, query }) => listSessions(org, context.cursors, params.visitor_id, query),
  }),
]
