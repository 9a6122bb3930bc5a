import { hash } from 'node:crypto'
import type { Tx } from '../platform/db/tx.ts'
import { askForChecks, writeMatchKeys } from './match-keys.ts'
import type { ExactKey, RecordType, State } from './record-type.ts'

/** The 64-bit hash (a decimal string for bigint) under which a key is stored: the start of its SHA-256. */
export function keyHash({ kind, value }: ExactKey): string {
  return Buffer.from(hash('sha256', `${kind}\0${value}`, 'binary'), 'latin1')
    .readBigInt64BE(0)
    .toString()
}

/** A key as it is stored. */
export type HashedKey = { kind: string; hash: string }

/** The same for equal keys, and for no others. */
export const keyName = ({ kind, hash }: HashedKey): string => `${kind} ${hash}`

// So few are compared with one another: in Node 26 a Map takes 0.3 µs to hash a new text.
const fewKeys = 16

/** `keys` as they are stored, each once. */
export function hashedKeys(keys: readonly ExactKey[]): HashedKey[] {
  const hashed = keys.map((key) => ({ kind: key.kind, hash: keyHash(key) }))
  if (hashed.length > fewKeys) return [...new Map(hashed.map((key) => [keyName(key), key])).values()]
  const isSame = (a: HashedKey, b: HashedKey) => a.hash === b.hash && a.kind === b.kind
  return hashed.filter((key, index) => hashed.findIndex((other) => isSame(key, other)) === index)
}

type StoredKey = HashedKey & { recordId: string }

/** Those of `keys` that are not among `others`: most stay, and to hash them takes longer than to compare them. */
function without(keys: readonly ExactKey[], others: readonly ExactKey[]): ExactKey[] {
  if (keys.length === 0 || others.length === 0) return [...keys]
  const nameOf = ({ kind, value }: ExactKey) => `${kind}\0${value}`
  const known = new Set(others.map(nameOf))
  return keys.filter((key) => !known.has(nameOf(key)))
}

/**
 * The kinds of keys, their hashes and their records, as PostgreSQL writes arrays: pg would look at each element for what
 * needs quotes.
 */
export function keyArrays(
  keys: readonly { kind: string | number; hash: string; recordId: string }[],
): string[] {
  const array = (elements: readonly (string | number)[]) => `{${elements.join(',')}}`
  return [
    array(keys.map(({ kind }) => kind)),
    array(keys.map(({ hash }) => hash)),
    array(keys.map(({ recordId }) => recordId)),
  ]
}

/** How a record's columns were and are; null where it has no keys (not there, or not active). */
export type KeyChange = { recordId: string; before: State | null; after: State | null }

/**
 * Moves the keys of records from how they were to how they are; writes only what differs. What changed in what is
 * compared is looked at for duplicates soon after.
 * @param laterChecked true if a scan looks at them instead, as after an import
 */
export async function writeKeys(
  tx: Tx,
  orgId: string,
  type: RecordType,
  changes: readonly KeyChange[],
  laterChecked = false,
): Promise<void> {
  const added: StoredKey[] = []
  const removed: StoredKey[] = []
  for (const { recordId, before, after } of changes) {
    const [old, now] = [before, after].map((state) => (state ? type.keys(state) : []))
    for (const key of hashedKeys(without(now!, old!))) added.push({ ...key, recordId })
    for (const key of hashedKeys(without(old!, now!))) removed.push({ ...key, recordId })
  }
  const from = `from unnest($2::text[], $3::bigint[], $4::uuid[]) as k (kind, hash, record_id)`
  const table = `${type.entity}_key`
  await Promise.all([
    writeMatchKeys(tx, orgId, type, changes),
    !laterChecked && askForChecks(tx, orgId, type, changes),
    removed.length > 0 &&
      tx.run({
        text: `
          delete from ${table} t using (select * ${from}) as k
          where t.org_id = $1 and t.kind = k.kind and t.hash = k.hash and t.${type.idField} = k.record_id`,
        values: [orgId, ...keyArrays(removed)],
      }),
    added.length > 0 &&
      tx.run({
        text: `insert into ${table} (org_id, kind, hash, ${type.idField}) select $1, k.kind, k.hash, k.record_id ${from}`,
        values: [orgId, ...keyArrays(added)],
      }),
  ])
}
