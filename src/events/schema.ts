import { z } from 'zod'
import { formatted, id, refuse, timestamp } from '../platform/http/fields.ts'
import { listQuery } from '../platform/http/list.ts'
import type { Refusal } from '../platform/http/refusal.ts'
import { nearestName } from '../platform/nearest-name.ts'
import { eventTypes } from './catalog.ts'

const known: ReadonlySet<string> = new Set(eventTypes)
const nounOf = (type: string) => type.replace(/\..*$/, '')
const nouns = [...new Set(eventTypes.map(nounOf))]

const eventType = formatted((value) => (known.has(value) ? value : unknownType(value)), {
  enum: [...eventTypes],
})

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
    event_id: z.string(),
    type: z.string(),
    object_id: z.string().nullable(),
    api_key_id: z
      .string()
      .nullable()
      .describe('The API key that made the change; null: an operator command or the system itself.'),
    mode: z.enum(['live', 'test']),
    changed: z.array(z.string()).nullable().describe('Names of the changed fields, never their values.'),
    data: z.record(z.string(), z.unknown()).nullable(),
    created_at: z.int(),
  })
  .meta({ title: 'Event' })

export type EventQuery = z.output<typeof EventQuery>
