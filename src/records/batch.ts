import type { z } from 'zod'
import type { Actor } from '../events/record.ts'
import type { Tx } from '../platform/db/tx.ts'
import { field } from '../platform/http/fields.ts'
import { type Detail, ValidationError, validator } from '../platform/http/validation.ts'
import type { Fields, RecordType } from './record-type.ts'
import { type Failed, writeItems } from './upsert.ts'

export type Outcome = {
  index: number
  outcome: 'created' | 'updated' | 'failed'
  recordId?: string
  /** Why it failed: text, or the problems of its fields. */
  detail?: string | Detail[]
}

/** An item before it is read: whatever it is, it is refused by itself, and sinks no other. */
export const unreadItem: z.ZodType<unknown> = field((value) => value, {
  type: 'object',
  additionalProperties: true,
})

/** The schema of one item of a batch: the fields of a record, and how to match it. */
export function batchItem(type: RecordType, matchOn: z.ZodType<string | undefined>): z.ZodObject {
  return type.fields.extend({ match_on: matchOn })
}

/**
 * Creates or upserts many records in one transaction, in order; an item that cannot be written is reported as
 * failed, and sinks none of the others.
 */
export async function writeBatch(
  tx: Tx,
  actor: Actor,
  type: RecordType,
  schema: z.ZodObject,
  items: readonly unknown[],
): Promise<Outcome[]> {
  const readItem = validator([{ in: 'body', schema }])
  const read = items.map((item) => {
    try {
      const { match_on: matchOn, ...fields } = readItem({ body: item }).body as Fields & { match_on?: string }
      return { fields, matchOn }
    } catch (error) {
      if (error instanceof ValidationError) return error
      throw error
    }
  })
  const readable = read.flatMap((item) => (item instanceof ValidationError ? [] : [item]))
  const results = (await writeItems(tx, actor, type, readable)).values()
  return read.map((item, index) => {
    if (item instanceof ValidationError) return { index, ...failure(item) }
    const result = results.next().value!
    return { index, ...(result.outcome === 'failed' ? failure(result.error) : result) }
  })
}

function failure(error: Failed['error']): Pick<Outcome, 'detail'> & { outcome: 'failed' } {
  const detail = error instanceof ValidationError ? error.details.map(withinItem) : error.message
  return { outcome: 'failed', detail }
}

/** The item is no body of its own: its problems are told by the path within it. */
const withinItem = (detail: Detail): Detail => ({ ...detail, loc: detail.loc.slice(1) })
