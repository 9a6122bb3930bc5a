import type { OrgTx } from '../platform/db/org-tx.ts'
import type { Sql } from '../platform/db/sql.ts'
import { type FoundRecord, shownRows } from './find.ts'
import type { RecordType } from './record-type.ts'

/** Runs the statement that writes the rows of records. */
export type RunWrite<Result> = (write: Sql) => Promise<Result>

/** Runs the statement that writes records; with `may`, returns them as answers show them. */
export const returning =
  (tx: OrgTx, type: RecordType, may = canReturn(tx, type)): RunWrite<Map<string, FoundRecord> | null> =>
  async (write) => {
    if (may) return shownRows(tx, type, write)
    await tx.run(write)
    return null
  }

/** @throws Error if the statement did not write the record */
export function foundIn(shown: ReadonlyMap<string, FoundRecord>, recordId: string): FoundRecord {
  const found = shown.get(recordId)
  if (!found) throw new Error('A written record is not among the rows of its statement')
  return found
}

/**
 * Whether the statement that writes a record can return what answers show. Links are written after it, and the records
 * of a limited member are found by statements of their own.
 */
export const canReturn = (tx: OrgTx, type: RecordType) =>
  type.links.length === 0 && tx.actor.recordAccess === undefined
