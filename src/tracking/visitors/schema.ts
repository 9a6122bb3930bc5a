import { z } from 'zod'
import { id, integer, literal, text, timestamp } from '../../platform/http/fields.ts'
import { filterText } from '../../platform/http/list.ts'
import * as shown from '../../platform/http/shown.ts'
import { identityShape } from '../identity/schema.ts'
import { WebEvent } from '../live/schema.ts'

const mode = literal('live', 'test')
  .meta({ title: 'Mode' })
  .optional()
  .describe('The mode of the events. By default the mode of your key.')
const limit = (noun: string) =>
  integer({ min: 1, max: 100 }).default(25).describe(`The maximum number of ${noun}.`)
const cursor = text({ max: 1024 })
  .optional()
  .describe('The `next_cursor` of the previous page. Keep the filters the same.')
const nextCursor = (noun: string) =>
  shown.text(`Send it as \`cursor\` to get older ${noun}; null: there are none.`, 'dmlzaXRvcnM').nullable()

export const VisitorPath = z.object({
  visitor_id: id().describe('The id of the visitor: the `visitor_id` of an event.'),
})

export const VisitorMode = z.object({ mode })

export const VisitorQuery = z.object({
  mode,
  user_key: filterText(400).describe('Only visitors with this `userId`, in the same case.'),
  contact_id: id()
    .optional()
    .describe(
      'Only visitors who are linked to this contact, whose statements made it, or whose `user_key` is an id, an e-mail address or an external id of this contact. A number is an external id only of the system `user_id`.',
    ),
  since: timestamp().optional().describe('Unix seconds. Only visitors who were seen at or after this time.'),
  limit: limit('visitors'),
  cursor,
})

const range = {
  since: timestamp().optional().describe('Unix seconds. Only events that happened at or after this time.'),
  until: timestamp().optional().describe('Unix seconds. Only events that happened before.'),
}

export const VisitorEventQuery = z.object({ mode, ...range, limit: limit('events'), cursor })
export const SessionQuery = z.object({ mode, ...range, limit: limit('sessions'), cursor })

const named = (description: string, example: string) => shown.text(description, example).nullable()

const source = z
  .object({
    source: named('`utm_source`, or the source that the client sent; null: none.', 'newsletter'),
    medium: named('`utm_medium`; null: none.', 'email'),
    campaign: named('`utm_campaign`; null: none.', 'Spring'),
    term: named('`utm_term`; null: none.', 'crm'),
    content: named('`utm_content`; null: none.', 'button'),
    ad_click: named(
      'The parameter with the click id of an advertisement, such as `gclid`; null: none.',
      'gclid',
    ),
    referrer_host: named('The host of the site that linked here; null: none.', 'www.example.org'),
  })
  .meta({ title: 'VisitSource' })

export const Visitor = z
  .object({
    visitor_id: shown.id('The id of the visitor. It is derived from the `anonymousId` of the client.'),
    mode: shown.mode('The mode of the events.'),
    user_key: named(
      'The `userId` of the visitor: the last that an API key sent, otherwise the last that the browser sent; null: none.',
      'user-7',
    ),
    user_trust: shown
      .word(
        'UserTrust',
        ['claimed', 'verified', 'trusted'],
        '`trusted`: an API key sent the `userId`. `verified`: a token or hash of your server proved it. `claimed`: the browser sent it, which is not proof; null: no `userId`.',
      )
      .nullable(),
    events: shown.count('The number of events of the visitor, including events that were deleted since.', 12),
    views: shown.count('How many of these events were views of pages and screens.', 8),
    first_source: source.nullable().describe('The source of the first event; null: unknown.'),
    last_source: source.nullable().describe('The source of the last event that has one; null: none.'),
    ads_denied_at: shown.pendingTime(
      'When the visitor last refused advertising, by Global Privacy Control or by consent; null: never.',
    ),
    first_seen_at: shown.time('When the first event happened.'),
    last_seen_at: shown.time('When the last event happened.'),
  })
  .meta({ title: 'Visitor' })

export const IdentifiedVisitor = Visitor.extend(identityShape).meta({ title: 'IdentifiedVisitor' })

export const VisitorPage = z
  .object({
    visitors: z.array(Visitor).describe('The visitors, by the minute of `last_seen_at`, the latest first.'),
    next_cursor: nextCursor('visitors'),
  })
  .meta({ title: 'VisitorPage' })

export const VisitorEventPage = z
  .object({
    events: z.array(WebEvent).describe('The events, newest first by the time when they happened.'),
    next_cursor: nextCursor('events'),
  })
  .meta({ title: 'VisitorEventPage' })

export const VisitorSession = z
  .object({
    session_id: named(
      'The session id that the client sent; null: none, so the times of the events give the beginning and end.',
      '1795341849603',
    ),
    started_at: shown.time('When the first event of the session happened.'),
    ended_at: shown.time('When the last event of the session happened.'),
    events: shown.count('The number of events in the session.', 5),
    views: shown.count('How many of these events were views of pages and screens.', 4),
    entry_path: named('The path of the first page; null: no event has a path.', '/pricing'),
    exit_path: named('The path of the last page; null: no event has a path.', '/thanks'),
    source: source.nullable().describe('The source of the session; null: no event has one.'),
  })
  .meta({ title: 'VisitorSession' })

export const SessionPage = z
  .object({
    sessions: z.array(VisitorSession).describe('The sessions, newest first.'),
    next_cursor: nextCursor('sessions'),
  })
  .meta({ title: 'VisitorSessionPage' })

export type VisitorQuery = z.output<typeof VisitorQuery>
export type VisitorEventQuery = z.output<typeof VisitorEventQuery>
export type SessionQuery = z.output<typeof SessionQuery>
export type Visitor = z.output<typeof Visitor>
export type IdentifiedVisitor = z.output<typeof IdentifiedVisitor>
export type VisitorPage = z.output<typeof VisitorPage>
export type SessionPage = z.output<typeof SessionPage>
export type VisitorSession = z.output<typeof VisitorSession>
export type VisitSource = z.output<typeof source>
