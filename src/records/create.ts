import type { Actor } from '../events/record.ts'
import type { Tx } from '../platform/db/tx.ts'
import { defaultCountry } from './find.ts'
import type { Fields, RecordType, State, Surroundings } from './record-type.ts'
import { requireReferences } from './references.ts'
import { insertRecords } from './write.ts'

/** What the writes of `inputs` need to know of the org. */
export async function surroundingsOf(
  tx: Tx,
  orgId: string,
  type: RecordType,
  inputs: readonly Fields[],
): Promise<Surroundings> {
  return {
    defaultCountry: inputs.some((fields) => type.needsCountry(fields)) ? await defaultCountry(tx) : null,
    ...(await type.surroundings?.(tx, orgId)),
  }
}

/** The columns of a new record. @throws ValidationError */
export function freshState(type: RecordType, fields: Fields, surroundings: Surroundings): State {
  const state = type.apply(null, fields, surroundings, false)
  type.check(null, state, surroundings)
  return state
}

/** Creates a record; its id. @throws ValidationError; Problem 404 that names a reference */
export async function createRecord(tx: Tx, actor: Actor, type: RecordType, fields: Fields): Promise<string> {
  const state = freshState(type, fields, await surroundingsOf(tx, actor.orgId, type, [fields]))
  await requireReferences(tx, actor.orgId, type, fields, state)
  const [recordId] = await insertRecords(tx, actor, type, [state])
  return recordId!
}
