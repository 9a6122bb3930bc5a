import type { Actor } from '../events/record.ts'
import type { Tx } from '../platform/db/tx.ts'
import { conflict } from '../platform/http/problem.ts'
import { defaultCountry } from './find.ts'
import { lockRecord, type Stored } from './lock.ts'
import type { Fields, RecordType, State, Surroundings } from './record-type.ts'
import { namesReference, resolveReferences } from './references.ts'
import { insertRecords, updateRecords } from './write.ts'

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

/** Changes the fields that are given of an active record; its id. @throws ValidationError; Problem 404, 409 */
export async function changeRecord(
  tx: Tx,
  actor: Actor,
  type: RecordType,
  recordId: string,
  fields: Fields,
  version?: number,
): Promise<string> {
  // What it may have to wait for goes before the record's lock, as in a batch: the other way round they could wait in a
  // circle. So do the records that it names, which whoever merges them holds before those that name them.
  const surroundings = await surroundingsOf(tx, actor.orgId, type, [fields])
  if (namesReference(type, fields))
    await resolveReferences(tx, actor.orgId, type, [type.apply(null, fields, surroundings, false)])
  const stored = await lockRecord(tx, actor.orgId, type, recordId, { version })
  requireActive(type, stored)
  const state = type.apply(stored.state, fields, surroundings, false)
  type.check(stored.state, state, surroundings)
  await requireReferences(tx, actor.orgId, type, fields, state)
  const said = { recordId, fields, surroundings, add: false }
  await updateRecords(tx, actor, type, [{ stored, state, said }])
  return stored.recordId
}

/** @throws Problem 409 if the record is archived */
export function requireActive(type: RecordType, { status, recordId }: Stored): void {
  if (status === 'active') return
  throw conflict(`This ${type.entity} is archived: restore it first (POST ${type.path}/${recordId}/restore)`)
}

/** A reference that this write does not name stands as it was resolved when it was named. */
async function requireReferences(
  tx: Tx,
  orgId: string,
  type: RecordType,
  fields: Fields,
  state: State,
): Promise<void> {
  if (!namesReference(type, fields)) return
  const [problem] = await resolveReferences(tx, orgId, type, [state])
  if (problem) throw problem
}
