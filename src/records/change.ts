import type { Actor } from '../events/record.ts'
import type { Tx } from '../platform/db/tx.ts'
import { conflict } from '../platform/http/problem.ts'
import { surroundingsOf } from './create.ts'
import { lockRecord, type Stored } from './lock.ts'
import type { Fields, RecordType } from './record-type.ts'
import { namesReference, requireReferences, resolveReferences } from './references.ts'
import { updateRecords } from './write.ts'

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
