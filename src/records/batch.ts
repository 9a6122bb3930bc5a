import type { z } from 'zod'
import type { OrgTx } from '../platform/db/org-tx.ts'
import type { RefusalCode } from '../platform/error-codes/catalog.ts'
import { field } from '../platform/http/fields.ts'
import { MAX_DETAILS } from '../platform/http/refusal.ts'
import { type Detail, ValidationError, validator } from '../platform/http/validation.ts'
import { mapInSlices } from '../platform/slices.ts'
import type { Fields, RecordType } from './record-type.ts'
import { type Failed, type Item, writeItems } from './upsert.ts'

/** Why an item failed, with the members of an error body. */
export type ItemProblem = {
  code: RefusalCode
  /** Text, or the problems of its fields. */
  detail: string | Detail[]
}

export type Outcome = Partial<ItemProblem> & {
  index: number
  outcome: 'created' | 'updated' | 'failed'
  recordId?: string
}

/** An item before validation: an invalid item fails alone. */
export const unreadItem: z.ZodType<unknown> = field((value) => value, {
  type: 'object',
  additionalProperties: true,
})

/** The schema of one item of a batch: the fields of a record, and how to match it. */
export function batchItem(type: RecordType, matchOn: z.ZodType<string | undefined>): z.ZodObject {
  return type.input.extend({ match_on: matchOn })
}

/** An item as it was read: what to write, or why it cannot be. */
export type ReadItem = Item | { refused: ItemProblem }

/** Reads the items of a batch in slices, so that requests of other organizations are answered meanwhile. */
export function readItems(
  orgId: string,
  schema: z.ZodObject,
  items: readonly unknown[],
): Promise<ReadItem[]> {
  const readItem = validator([{ in: 'body', schema }])
  const problemOf = boundedProblems(MAX_DETAILS)
  return mapInSlices(orgId, items, (item) => {
    try {
      const { match_on: matchOn, ...fields } = readItem({ body: item }).body as Fields & { match_on?: string }
      return { fields, matchOn }
    } catch (error) {
      if (error instanceof ValidationError) return { refused: problemOf(error) }
      throw error
    }
  })
}

/**
 * Creates or upserts many records in one transaction, in order. An invalid item is reported as failed and does not
 * affect the others.
 */
export async function writeBatch(
  tx: OrgTx,
  type: RecordType,
  items: readonly ReadItem[],
): Promise<Outcome[]> {
  const readable = items.flatMap((item) => ('refused' in item ? [] : [item]))
  const results = (await writeItems(tx, type, readable)).values()
  const shown = items.reduce((sum, item) => sum + ('refused' in item ? countOf(item.refused) : 0), 0)
  const problemOf = boundedProblems(MAX_DETAILS - shown)
  return items.map((item, index) => {
    if ('refused' in item) return { index, outcome: 'failed', ...item.refused }
    const result = results.next().value
    if (!result) throw new Error('An item of a batch has no result')
    return result.outcome === 'failed'
      ? { index, outcome: 'failed', ...problemOf(result.error) }
      : { index, outcome: result.outcome, recordId: result.recordId }
  })
}

/** Makes the problems of the items of one answer, until `max` details are listed. */
function boundedProblems(max: number): (error: Failed['error']) => ItemProblem {
  let left = max
  return (error) => {
    const { code } = error
    if (!(error instanceof ValidationError)) return { code, detail: error.message }
    const { details } = error
    if (details.length > left) return { code, detail: tooManyDetails(details.length) }
    left -= details.length
    return { code, detail: details.map(withinItem) }
  }
}

const countOf = ({ detail }: ItemProblem) => (typeof detail === 'string' ? 0 : detail.length)

const tooManyDetails = (count: number) =>
  `The item has ${count} problems. One answer lists at most ${MAX_DETAILS} problems: send the item in a smaller batch to see them.`

/** Removes `body` from the path: an item is not a body. */
const withinItem = (detail: Detail): Detail => ({ ...detail, loc: detail.loc.slice(1) })
