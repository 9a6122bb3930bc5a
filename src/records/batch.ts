import type { z } from 'zod'
import type { OrgTx } from '../platform/db/org-tx.ts'
import type { RefusalCode } from '../platform/error-codes/catalog.ts'
import { detailsMax } from '../platform/http/refusal.ts'
import { type Detail, ValidationError, validator } from '../platform/http/validation.ts'
import { mapInSlices } from '../platform/slices.ts'
import type { Failed, Item, ItemWithId, Written } from './items/item.ts'
import { itemSchemas } from './items/sent.ts'
import { writeItems } from './items/write.ts'
import type { Fields, RecordType } from './record-type.ts'

/** The error of one item, with the fields of an error answer. */
export type ItemProblem = {
  code: RefusalCode
  /** A text, or a list with one detail for each invalid field. */
  detail: string | Detail[]
}

export type ItemOutcome = Partial<ItemProblem> & {
  index: number
  outcome: Written['outcome'] | 'failed'
  recordId?: string
  version?: number
}

export type ReadItem = Item | { refused: ItemProblem }

/**
 * Reads the items in slices, so that the thread also answers requests of other organizations.
 * @param owner Caller.payerId
 */
export function readItems(owner: string, type: RecordType, items: readonly unknown[]): Promise<ReadItem[]> {
  const readItem = itemReader(type)
  const problemOf = boundedProblems(detailsMax)
  return mapInSlices(owner, items, (item) => {
    try {
      return readItem(item)
    } catch (error) {
      if (error instanceof ValidationError) return { refused: problemOf(error) }
      throw error
    }
  })
}

/** An item with an id is a change or an action. Any other item is a new record or an upsert. */
function itemReader(type: RecordType): (item: unknown) => Item {
  const { idField } = type
  const [create, change, action] = itemSchemas(type)
  const [readNew, readChange, readAction] = [bodyReader(create), bodyReader(change), bodyReader(action)]
  return (item) => {
    const has = (name: string) => typeof item === 'object' && item !== null && Object.hasOwn(item, name)
    if (!has(idField) && !has('action')) {
      const { match_on, ...fields } = readNew(item)
      return { fields, matchOn: match_on as string | undefined }
    }
    const read = has('action') ? readAction(item) : readChange(item)
    const { [idField]: recordId, version, action = 'change', ...fields } = read
    return { recordId, version, action, fields } as ItemWithId
  }
}

function bodyReader(schema: z.ZodObject): (item: unknown) => Fields {
  const read = validator([{ in: 'body', schema }])
  return (item) => read({ body: item }).body
}

/** Writes the items in one transaction, in order. An invalid item fails alone. */
export async function writeBatch(
  tx: OrgTx,
  type: RecordType,
  items: readonly ReadItem[],
): Promise<ItemOutcome[]> {
  const readable = items.flatMap((item) => ('refused' in item ? [] : [item]))
  const results = (await writeItems(tx, type, readable)).values()
  const shown = items.reduce((sum, item) => sum + ('refused' in item ? countOf(item.refused) : 0), 0)
  const problemOf = boundedProblems(detailsMax - shown)
  return items.map((item, index) => {
    if ('refused' in item) return { index, outcome: 'failed', ...item.refused }
    const result = results.next().value
    if (!result) throw new Error('An item of a batch has no result')
    return result.outcome === 'failed'
      ? { index, outcome: 'failed', ...problemOf(result.error) }
      : { index, outcome: result.outcome, recordId: result.recordId, version: result.version }
  })
}

/** One answer lists at most `max` details. */
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
  `The item has ${count} problems. One answer lists at most ${detailsMax} problems: send the item in a smaller batch to see them.`

/** Removes `body` from the start of the path: the paths of an item start inside the item. */
const withinItem = (detail: Detail): Detail => ({ ...detail, loc: detail.loc.slice(1) })
