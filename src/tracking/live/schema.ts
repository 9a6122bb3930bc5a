import { z } from 'zod'
import { boolean, id, integer, literal, text, timestamp } from '../../platform/http/fields.ts'
import { filterText } from '../../platform/http/list.ts'
import * as shown from '../../platform/http/shown.ts'
import { eventTypes } from '../wire/event.ts'

export const WebEventQuery = z.object({
  type: literal(...eventTypes)
    .meta({ title: 'WebEventType' })
    .optional()
    .describe('Only events of this call.'),
  name: filterText(200).describe('Only events with this name, in the same case.'),
  visitor_id: id().optional().describe('Only events of this visitor.'),
  session_id: filterText(64).describe('Only events of this session.'),
  bot: boolean()
    .optional()
    .describe('`true`: only events of programs, such as crawlers. `false`: only events of people.'),
  mode: literal('live', 'test').meta({ title: 'Mode' }).optional().describe('Only events of this mode.'),
  since: timestamp()
    .optional()
    .describe('Unix seconds. Only events that were received at or after this time.'),
  limit: integer({ min: 1, max: 100 }).default(25).describe('The maximum number of events.'),
  cursor: text({ max: 1024 })
    .optional()
    .describe('The `next_cursor` of the previous page. Keep the filters the same.'),
})

export const WebEvent = z
  .object({
    event_id: shown.id('The id of the event. It is derived from the `messageId` that the client sent.'),
    mode: shown.mode('The mode of the key with which the event was sent.'),
    type: shown.word('WebEventType', eventTypes, 'The call of the client.'),
    name: shown.text('The name of a track event, a page or a screen; null: none.', 'Signed Up').nullable(),
    bot: shown.flag(
      'Whether a program made the event. An event of a program has no ids and no properties.',
      false,
    ),
    visitor_id: shown
      .id('The visitor; null: the client sent only a `userId`, or a program made the event.')
      .nullable(),
    user_key: shown
      .text(
        'The `userId` that the client sent; null: none. A browser can send any value, so this proves nothing.',
        'user-7',
      )
      .nullable(),
    session_id: shown.text('The session that the client names; null: none.', '1795341849603').nullable(),
    url_path: shown.text('The path of the page, without its query; null: none.', '/pricing').nullable(),
    referrer_host: shown
      .text('The host of the previous page; null: none.', 'www.example.org')
      .nullable()
      .meta({ examples: ['www.example.org'] }),
    properties: z
      .record(z.string(), z.unknown())
      .meta({ description: 'The properties, or the traits of identify.', examples: [{ plan: 'pro' }] }),
    context: z.record(z.string(), z.unknown()).meta({
      description: 'The facts about page and device that the client sent.',
      examples: [{ locale: 'en-US' }],
    }),
    occurred_at: shown.time('When the event happened, by the clock of this server.'),
    received_at: shown.time('When the event was received.'),
  })
  .meta({ title: 'WebEvent' })

export const WebEventPage = z
  .object({
    events: z.array(WebEvent).describe('The events, newest first by the time of their receipt.'),
    next_cursor: shown
      .text('Send it as `cursor` to get older events; null: there are none.', 'd2ViLWV2ZW50')
      .nullable(),
  })
  .meta({ title: 'WebEventPage' })

export type WebEventQuery = z.output<typeof WebEventQuery>
