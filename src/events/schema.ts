import { z } from 'zod'
import { id, timestamp } from '../platform/http/fields.ts'
import { filterText, listQuery } from '../platform/http/list.ts'

export const EventQuery = z.object({
  type: filterText(120).describe('For example contact.created.'),
  object_id: id().optional().describe('Only events of this object.'),
  since: timestamp().optional().describe('Unix seconds: only events at or after.'),
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
      .describe('Whose key made the change; null: the operator or a job of the system.'),
    mode: z.enum(['live', 'test']),
    changed: z.array(z.string()).nullable().describe('Names of the changed fields, never their values.'),
    data: z.record(z.string(), z.unknown()).nullable(),
    created_at: z.int(),
  })
  .meta({ title: 'Event' })

export type EventQuery = z.output<typeof EventQuery>
