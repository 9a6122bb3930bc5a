import { useRef, useState } from 'react'
import { ApiError } from '../../../../sdk/src/errors.ts'
import { useScope } from '../../shell/scope.tsx'
import { authorSince } from '../author-since.ts'
import { fieldValue, idOf, type RecordKind, type ShownRecord } from '../kinds.ts'
import type { RecordField } from '../record-field.ts'
import { storeRecords } from '../record-queries.ts'
import { changeIn } from './currency-change.ts'
import { afterOwnSaves, inTurn, noteSaved } from './own-saves.ts'

/** What somebody else changed while a person edited a field. */
export type Conflict = {
  /** The name of the one who changed the record last. */
  by: string
  before: ShownRecord
  theirs: ShownRecord
  /** The fields that they changed. */
  changed: readonly RecordField[]
}

class MergedMeanwhile extends Error {}

export type SaveResult = 'saved' | 'conflict'

/**
 * Saves one field of a record, unless somebody else changed the record since the person began. Then nothing is saved,
 * and `conflict` says what they changed. The next `save` is compared with their version.
 */
export function useEdit(kind: RecordKind, fields: readonly RecordField[], record: ShownRecord) {
  const scope = useScope()
  const { orgId, api } = scope
  const base = useRef(record)
  const [conflict, setConflict] = useState<Conflict | null>(null)
  const id = idOf(kind, record)
  const save = async ({ name }: RecordField, value: unknown): Promise<SaveResult> => {
    // The person may have saved another field since they began.
    const before = afterOwnSaves(id, base.current)
    try {
      // Merged meanwhile: the version of one record says nothing about the other one.
      if (idOf(kind, before) !== id) throw new MergedMeanwhile()
      const saved = await kind
        .apiOf(api)
        .update(id, changeIn(before, name, value), { ifMatch: before.version })
      base.current = saved
      noteSaved(id, before.version, saved)
      storeRecords(kind, orgId, [saved])
      return 'saved'
    } catch (error) {
      const isConflict = error instanceof ApiError && error.code === 'version_conflict'
      if (!isConflict && !(error instanceof MergedMeanwhile)) throw error
      const theirs = await kind.apiOf(api).get(id)
      // Somebody wrote the same, or the answer to an earlier try was lost.
      if (isSame(fieldValue(theirs, name), value)) {
        base.current = theirs
        storeRecords(kind, orgId, [theirs])
        return 'saved'
      }
      const changed = fields.filter(
        (field) =>
          !field.isReadOnly &&
          field.listField === undefined &&
          !isSame(fieldValue(before, field.name), fieldValue(theirs, field.name)),
      )
      setConflict({ by: await authorSince(scope, id, before.updated_at), before, theirs, changed })
      base.current = theirs
      storeRecords(kind, orgId, [theirs])
      return 'conflict'
    }
  }
  const saveInTurn = (field: RecordField, value: unknown) => inTurn(id, () => save(field, value))
  return { save: saveInTurn, conflict, forget: () => setConflict(null) }
}

export const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null)
