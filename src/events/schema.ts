import { z } from 'zod'
import { exampleId } from '../platform/http/example-ids.ts'
import { formatted, id, refuse, timestamp } from '../platform/http/fields.ts'
import { listQuery } from '../platform/http/list.ts'
import type { Refusal } from '../platform/http/refusal.ts'
import * as shown from '../platform/http/shown.ts'
import { nearestName } from '../platform/nearest-name.ts'
import { eventCatalog, eventTypes } from './catalog.ts'

const known: ReadonlySet<string> = new Set(eventTypes)
const nounOf = (type: string) => type.replace(/\..*$/, '')
const nouns = [...new Set(eventTypes.map(nounOf))]

/** Reference pages and generators of code show the description of each type. */
const ofType = {
  title: 'EventType',
  'x-enumDescriptions': Object.fromEntries(eventCatalog.map(({ type, description }) => [type, description])),
}

const eventType = formatted((value) => (known.has(value) ? value : unknownType(value)), {
  enum: [...eventTypes],
}).meta(ofType)

function unknownType(value: string): Refusal {
  const near = eventTypes.filter((type) => nounOf(type) === nounOf(value))
  const nearest = near.length > 0 ? near.join(', ') : nearestName(value, eventTypes)
  const hint = nearest
    ? `near ones: ${nearest}`
    : `send one such as contact.created; a type begins with ${nouns.join(', ')}`
  return refuse(`no event has this type; ${hint}`)
}

export const EventQuery = z.object({
  type: eventType.optional().describe('Only events of this type.'),
  object_id: id().optional().describe('Only events of this object.'),
  created_since: timestamp().optional().describe('Unix seconds. Only events at or after this time.'),
  ...listQuery,
})

export const Event = z
  .object({
    event_id: shown.id('The id of the event.'),
    type: z.enum(eventTypes).meta({
      ...ofType,
      description:
        'The type of the event: the kind of object, and what happened to it. Later versions may add types.',
      examples: ['contact.updated'],
    }),
    object_id: shown
      .id('The changed object.')
      .nullable()
      .meta({ examples: [exampleId('contact_id')] }),
    api_key_id: shown
      .id('The API key that made the change; null: an operator command or the system itself.')
      .nullable(),
    mode: shown.mode('The mode of the change.'),
    changed: z
      .array(z.string())
      .nullable()
      .meta({
        description:
          'Names of the changed fields, never their values; null: the type of the event is enough.',
        examples: [['city']],
      }),
    data: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({
        description:
          'Further ids and numbers about the change, which depend on the type of the event; null: none.',
        examples: [null],
      }),
    created_at: shown.time('When the change was made.'),
  })
  .meta({ title: 'Event' })

export type EventQuery = z.output<typeof EventQuery>
