import type { z } from 'zod'
import type { Actor } from '../events/record.ts'
import type { Tx } from '../platform/db/tx.ts'
import { Problem } from '../platform/http/problem.ts'
import { type Detail, ValidationError, validator } from '../platform/http/validation.ts'
import { resolveReferences, surroundingsOf, upsertRecord } from './create.ts'
import type { Fields, RecordType, State } from './record-type.ts'
import { insertRecords } from './write.ts'

export type Outcome = {
  index: number
  outcome: 'created' | 'updated' | 'failed'
  recordId?: string
  /** Why it failed: text, or the problems of its fields. */
  detail?: string | Detail[]
}

type Item = { index: number; fields: Fields; matchOn: string | undefined }

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
  const outcomes: Outcome[] = []
  const readItem = validator([{ in: 'body', schema }])
  const readable: Item[] = []
  items.forEach((item, index) => {
    try {
      const { match_on: matchOn, ...fields } = readItem({ body: item }).body as Fields & { match_on?: string }
      readable.push({ index, fields, matchOn })
    } catch (error) {
      outcomes.push(failure(index, error))
    }
  })
  const surroundings = await surroundingsOf(
    tx,
    type,
    readable.map(({ fields }) => fields),
  )
  let creations: { index: number; state: State }[] = []
  const flush = async () => {
    const written = await createAll(tx, actor, type, creations)
    outcomes.push(...written)
    creations = []
  }
  for (const { index, fields, matchOn } of readable) {
    try {
      if (matchOn === undefined) {
        creations.push({ index, state: type.apply(null, fields, surroundings, false) })
        continue
      }
      // What comes before an upsert must be there for it to find.
      await flush()
      const { recordId, outcome } = await upsertRecord(tx, actor, type, matchOn, fields)
      outcomes.push({ index, outcome, recordId })
    } catch (error) {
      outcomes.push(failure(index, error))
    }
  }
  await flush()
  return outcomes.sort((a, b) => a.index - b.index)
}

async function createAll(
  tx: Tx,
  actor: Actor,
  type: RecordType,
  creations: { index: number; state: State }[],
): Promise<Outcome[]> {
  if (creations.length === 0) return []
  const problems = await resolveReferences(
    tx,
    actor.orgId,
    type,
    creations.map(({ state }) => state),
  )
  const good = creations.filter((_, position) => problems[position] === null)
  const recordIds =
    good.length > 0
      ? await insertRecords(
          tx,
          actor,
          type,
          good.map(({ state }) => state),
        )
      : []
  return [
    ...good.map(({ index }, position) => ({
      index,
      outcome: 'created' as const,
      recordId: recordIds[position]!,
    })),
    ...creations.flatMap(({ index }, position) =>
      problems[position] ? [failure(index, problems[position])] : [],
    ),
  ]
}

/** @throws whatever is not the item's own fault */
function failure(index: number, error: unknown): Outcome {
  if (error instanceof ValidationError)
    return { index, outcome: 'failed', detail: error.details.map(withinItem) }
  if (error instanceof Problem) return { index, outcome: 'failed', detail: error.message }
  throw error
}

/** The item is no body of its own: its problems are told by the path within it. */
const withinItem = (detail: Detail): Detail => ({ ...detail, loc: detail.loc.slice(1) })
