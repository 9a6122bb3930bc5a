import { z } from 'zod'
import { shownActor } from '../events/schema.ts'
import { id, integer, parsedText, refuse, text } from '../platform/http/fields.ts'
import * as shown from '../platform/http/shown.ts'

export const activityKinds = [
  'web_event',
  'submission',
  'call',
  'note',
  'task',
  'change',
  'merge',
  'push',
] as const

export type ActivityKind = (typeof activityKinds)[number]

const kindsText =
  '`web_event`: an event of a web page. `submission`: a form that the person sent. `call`: a phone call. `note`, `task`: written about the record. `change`: the record was created, changed, archived or restored. `merge`: records were merged, or a merge was undone. `push`: the last push to a CRM.'

export const ContactPath = z.object({ contact_id: id().describe('The id of the contact.') })
export const CompanyPath = z.object({ company_id: id().describe('The id of the company.') })

function readKinds(value: string) {
  const kinds = value.split(',').map((each) => activityKinds.find((kind) => kind === each.trim()))
  const known = kinds.filter((kind) => kind !== undefined)
  return known.length === kinds.length
    ? [...new Set(known)].sort()
    : refuse(`send some of these kinds, with commas between them: ${activityKinds.join(',')}`)
}

export const ActivityQuery = z.object({
  kinds: parsedText(readKinds, { maxLength: 200 })
    .optional()
    .describe(`Only items of these kinds, with commas between them. ${kindsText}`),
  limit: integer({ min: 1, max: 100 }).default(25).describe('The maximum number of items.'),
  cursor: text({ max: 1024 })
    .optional()
    .describe('The `next_cursor` of the previous page. Keep the filters the same.'),
})

const named = (description: string, example: string) => shown.text(description, example).nullable()

export const ActivityItem = z
  .object({
    kind: shown.word('ActivityKind', activityKinds, kindsText),
    object_id: shown.id(
      'The id of the web event, submission, call, note, task or event of the audit log; for a push, of the connection.',
    ),
    type: shown.text(
      'What happened. `web_event`: the call of the client. `submission`: `accepted`, `spam` or `reverted`. `call`: the status. `task`: `open` or `done`. `change`, `merge`: the type of the event. `push`: `lead` or `contact`.',
      'page',
    ),
    title: named(
      'The name or path of the web event, the dialed number, the first 500 characters of the note, or the title of the task. A submission has the name of its form, and a push that of its connection. null: none.',
      '/pricing',
    ),
    contact_id: shown
      .id('The contact to whom the item belongs; null: the item is about the company itself.')
      .nullable(),
    visitor_id: shown.id('The visitor of a web event; null for other kinds.').nullable(),
    claimed: shown.flag(
      'Whether only a browser said who the visitor of the web event is, which is not proof.',
      false,
    ),
    actor: shownActor.nullable().describe('The author; null: a web event, a submission, a call or a push.'),
    changed: z
      .array(z.string())
      .nullable()
      .meta({ description: 'The names of changed fields; null: none.', examples: [['city']] }),
    at: shown.time('When it happened.'),
  })
  .meta({ title: 'ActivityItem' })

const touch = z
  .object({
    source: named('`utm_source`; null: none.', 'newsletter'),
    campaign: named('`utm_campaign`; null: none.', 'Spring'),
    referrer_host: named('The host of the site that linked here; null: none.', 'www.example.org'),
    page: named('The path of the page; null: unknown, or the event was deleted.', '/pricing'),
    at: shown.time('When it happened.'),
  })
  .meta({ title: 'Touch' })

export const ActivityPage = z
  .object({
    items: z.array(ActivityItem).describe('The items, newest first.'),
    next_cursor: shown
      .text('Send it as `cursor` to get older items; null: there are none.', 'YWN0aXZpdHk')
      .nullable(),
  })
  .meta({ title: 'ActivityPage' })

export const Touches = z
  .object({
    first_touch: touch.nullable().describe('The first web event of the contact; null: there is none.'),
    last_touch: touch
      .nullable()
      .describe(
        'The last web event of the contact that says where the visit came from; null: there is none.',
      ),
  })
  .meta({ title: 'Touches' })

export type ActivityQuery = z.output<typeof ActivityQuery>
export type ActivityItem = z.output<typeof ActivityItem>
export type ActivityPage = z.output<typeof ActivityPage>
export type Touch = z.output<typeof touch>
export type Touches = z.output<typeof Touches>
