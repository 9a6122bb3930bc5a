import { z } from 'zod'
import { exampleId } from '../platform/http/example-ids.ts'
import { field, id, integer, literal, parsedText, refuse, text, timestamp } from '../platform/http/fields.ts'
import { listQuery } from '../platform/http/list.ts'
import { notAList, Refusal } from '../platform/http/refusal.ts'
import * as shown from '../platform/http/shown.ts'
import { nearestName } from '../platform/nearest-name.ts'
import { type EventType, eventCatalog, eventTypes, nounOf } from './catalog.ts'
import { typePatterns } from './type-patterns.ts'

const known: ReadonlySet<string> = new Set(eventTypes)
const nouns = [...new Set(eventTypes.map(nounOf))]

/** The description of each type, for reference pages and code generators. */
const ofType = {
  title: 'EventType',
  'x-enumDescriptions': Object.fromEntries(eventCatalog.map(({ type, description }) => [type, description])),
}

/**
 * A type of event that a client names.
 * @param hint what to do instead of sending a pattern
 */
export const knownEventType = (hint: (pattern: string) => string): z.ZodType<EventType, unknown> =>
  parsedText<EventType>(
    (value) => {
      if (known.has(value)) return value as EventType
      return patterns.has(value) ? refuse(`"${value}" is a pattern; ${hint(value)}`) : unknownType(value)
    },
    { enum: [...eventTypes] },
  ).meta(ofType)

/** @param names the names from which the nearest one is suggested */
function unknownType(value: string, names: readonly string[] = eventTypes): Refusal {
  const noun = nounOf(value)
  const near = eventTypes.filter((type) => nounOf(type) === noun)
  const nearest = near.length > 0 ? near.join(', ') : nearestName(value, names)
  const hint = nearest
    ? `similar types: ${nearest}`
    : `send a type such as contact.created; a type begins with ${nouns.join(', ')}`
  return refuse(`no event has the type "${value.slice(0, 100)}"; ${hint}`)
}

const patterns: ReadonlySet<string> = new Set(typePatterns)
const patternsMax = 2000

/** Patterns of types: separated by commas in a query, or a list in a body. */
export const eventTypePatterns = (form: 'text' | 'list'): z.ZodType<string[], unknown> =>
  field<string[]>(
    (value) => {
      const sent =
        form === 'text' && typeof value === 'string' ? value.slice(0, patternsMax).split(',') : value
      if (!Array.isArray(sent) || sent.length > eventTypes.length) return notAList
      const names = sent.map((each) => (typeof each === 'string' ? each.trim() : JSON.stringify(each)))
      const [first, ...others] = names
      if (first === undefined || (first === '' && others.length === 0)) return noType
      const unknown = names.find((name) => !patterns.has(name))
      return unknown === undefined ? [...new Set(names)] : unknownPattern(unknown)
    },
    form === 'text'
      ? { type: 'string', maxLength: patternsMax }
      : { type: 'array', items: { type: 'string' }, minItems: 1 },
  )

const noType = refuse('send at least one type or pattern, such as contact.*; * means all types')

function unknownPattern(name: string): Refusal {
  const { type, msg, ctx } = unknownType(name, typePatterns)
  return new Refusal(type, `${msg}; or a pattern such as contact.* or *`, ctx)
}

const actorKinds = ['api_key', 'member', 'operator', 'system'] as const

export const EventQuery = z.object({
  type: knownEventType((pattern) => `send one type, or types=${pattern}`)
    .optional()
    .describe('Only events of this type.'),
  types: eventTypePatterns('text')
    .optional()
    .describe('Only these types, with commas between them: `contact.*,deal.closed`.'),
  object_id: id().optional().describe('Only events of this object.'),
  actor_kind: literal(...actorKinds)
    .optional()
    .meta({ title: 'ActorKind' })
    .describe('Only events that an actor of this kind caused.'),
  actor_id: id().optional().describe('Only events that this API key or member caused.'),
  created_since: timestamp().optional().describe('Unix seconds. Only events at or after this time.'),
  created_until: timestamp().optional().describe('Unix seconds. Only events before this time.'),
  ...listQuery,
})

/** How answers show an actor. */
export const shownActor = z
  .object({
    kind: z.enum(actorKinds).meta({
      title: 'ActorKind',
      description:
        'An API key, a person who is signed in, a command of the operator, or Crosswalk itself. Later versions may add kinds.',
      examples: ['api_key'],
    }),
    id: shown
      .id('The id of the API key or member; null for the operator and the system.')
      .nullable()
      .meta({ examples: [exampleId('api_key_id')] }),
    name: shown
      .text(
        'The current name of the API key or member. For an API key of an agency, and for a deleted one that it made: the name of the agency. The name of a person of an agency has the agency in brackets. null: it is deleted or has no name.',
        'Nightly sync',
      )
      .nullable(),
  })
  .meta({ title: 'EventActor' })

/** The type of an event in an answer. */
export const shownEventType = (description: string) =>
  z.enum(eventTypes).meta({ ...ofType, description, examples: ['contact.updated'] })

export const Event = z
  .object({
    event_id: shown.id('The id of the event.'),
    type: shownEventType(
      'The type of the event: the kind of object, and what happened to it. Later versions may add types.',
    ),
    object_id: shown
      .id('The changed object.')
      .nullable()
      .meta({ examples: [exampleId('contact_id')] }),
    api_key_id: shown
      .id('The API key that made the change; null: a member, the operator or the system made it.')
      .nullable(),
    actor: shownActor.describe('The API key, person or program that made the change.'),
    mode: shown.mode('The mode of the change.'),
    changed: z
      .array(z.string())
      .nullable()
      .meta({
        description:
          'Names of the changed fields, never their values; null: the type of the event already says what changed.',
        examples: [['city']],
      }),
    data: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({
        description: 'Ids, numbers and names of the change, by the type of the event; null: none.',
        examples: [null],
      }),
    created_at: shown.time('When the change was made.'),
  })
  .meta({ title: 'Event' })

export const FeedQuery = z.object({
  cursor: text({ max: 4000 })
    .optional()
    .describe('The `cursor` of an earlier answer. Without it and without `since`, the feed begins now.'),
  since: timestamp().optional().describe('Unix seconds. Begins with the first event at or after this time.'),
  types: eventTypePatterns('text')
    .optional()
    .describe('Only these types, with commas between them: `contact.*,deal.closed`. By default all.'),
  limit: integer({ min: 1, max: 200 }).default(50).describe('The maximum number of events in the answer.'),
  wait_seconds: integer({ min: 0, max: 25 })
    .default(0)
    .describe('If there is no event, how long the request waits for the first one.'),
  include: literal('object').optional().describe('`object` adds each object as a GET shows it now.'),
})

/** An event as the feed and webhooks send it. */
export const EventMessage = z
  .object({
    type: Event.shape.type,
    timestamp: shown.text('When the change was made, in RFC 3339.', '2026-10-02T08:00:00.123Z'),
    event_id: Event.shape.event_id,
    org_id: shown.id('The organization whose object changed.'),
    mode: Event.shape.mode,
    api_key_id: Event.shape.api_key_id,
    actor: Event.shape.actor,
    changed: Event.shape.changed,
    created_at: Event.shape.created_at,
    data: z
      .object({
        object_type: shown.text('The kind of object that changed.', 'contact').nullable(),
        object_id: Event.shape.object_id,
        object: z
          .record(z.string(), z.unknown())
          .nullable()
          .optional()
          .meta({
            description:
              'The object in the form of its GET, read when the event is sent. null: it was deleted, erased or merged, or you may not read it. Absent: not requested, or `truncated`.',
            examples: [null],
          }),
        merged_into: shown.id('The canonical record, if the record was merged into another one.').optional(),
        truncated: z
          .literal(true)
          .optional()
          .meta({
            description: 'The object has more than 256 KiB. Read it with a GET.',
            examples: [true],
          }),
        details: z.record(z.string(), z.unknown()).meta({
          description: 'Ids, numbers and names of the change, by the type of the event.',
          examples: [{}],
        }),
      })
      .meta({ title: 'EventMessageData', description: 'The changed object.' }),
  })
  .meta({ title: 'EventMessage' })

export const EventFeed = z
  .object({
    events: z.array(EventMessage).describe('The next events, oldest first.'),
    cursor: shown.text('Send it as `cursor` to get the events after these.', 'bG9nLXBvc2l0aW9u'),
    has_more: shown.flag('Whether further events are ready. If so, do not wait before the next request.'),
  })
  .meta({ title: 'EventFeed' })

export type EventQuery = z.output<typeof EventQuery>
export type FeedQuery = z.output<typeof FeedQuery>
