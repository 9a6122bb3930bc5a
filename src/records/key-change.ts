import type { StoredColumns } from './record-type.ts'

/** The columns before and after a change. A record that does not exist or is not active has null, and no keys. */
export type MatchKeyChange = { recordId: string; before: StoredColumns | null; after: StoredColumns | null }

/** Formats keys as texts of PostgreSQL arrays. pg would check each element for quotes, which is slow. */
export function keyArrays(
  keys: readonly { kind: string | number; hash: string; recordId: string }[],
): [kinds: string, hashes: string, recordIds: string] {
  const array = (elements: readonly (string | number)[]) => `{${elements.join(',')}}`
  return [
    array(keys.map(({ kind }) => kind)),
    array(keys.map(({ hash }) => hash)),
    array(keys.map(({ recordId }) => recordId)),
  ]
}
