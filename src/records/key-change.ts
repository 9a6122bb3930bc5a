import { BinaryArray, bigint, type ElementType, uuid } from '../platform/db/binary-array.ts'
import type { StoredColumns } from './record-type.ts'

/** The columns before and after a change. A record that does not exist or is not active has null, and no keys. */
export type MatchKeyChange = { recordId: string; before: StoredColumns | null; after: StoredColumns | null }

/** Keys as three arrays of a statement. */
export function keyArrays<Kind>(
  kindType: ElementType<Kind>,
  keys: readonly { kind: Kind; hash: string; recordId: string }[],
): [kinds: Buffer, hashes: Buffer, recordIds: Buffer] {
  const kinds = new BinaryArray(kindType)
  const hashes = new BinaryArray(bigint)
  const recordIds = new BinaryArray(uuid)
  for (const { kind, hash, recordId } of keys) {
    kinds.push(kind)
    hashes.push(hash)
    recordIds.push(recordId)
  }
  return [kinds.toParameter(), hashes.toParameter(), recordIds.toParameter()]
}
