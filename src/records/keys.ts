import { hash } from 'node:crypto'
import { queryWords, searchWords } from '../normalise/words.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { MatchKey, RecordType, State } from './record-type.ts'

/** The 64-bit hash (a decimal string for bigint) under which a key is stored: the start of its SHA-256. */
export function keyHash({ kind, value }: MatchKey): string {
  return Buffer.from(hash('sha256', `${kind}\0${value}`, 'binary'), 'latin1')
    .readBigInt64BE(0)
    .toString()
}

/** Every lexeme starts with this, so that the full-text index of one org's words is never shared with another's. */
const lexemePrefix = (orgId: string) => `${orgId.slice(-8)}:`

const quoted = (lexeme: string) => `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`

/** The tsvector literal of a record's searchable text. */
export function searchVector(orgId: string, type: RecordType, state: State): string {
  const prefix = lexemePrefix(orgId)
  return searchWords(type.searchable(state))
    .map((word) => quoted(prefix + word))
    .join(' ')
}

/** The tsquery that asks for records with a word beginning with each word of `q`; null if `q` has no word. */
export function searchQuery(orgId: string, q: string): string | null {
  const prefix = lexemePrefix(orgId)
  const words = queryWords(q).map((word) => `${quoted(prefix + word)}:*`)
  return words.length > 0 ? words.join(' & ') : null
}

type StoredKey = { kind: string; hash: string; recordId: string }

const storedKeys = (type: RecordType, recordId: string, state: State | null): StoredKey[] =>
  state === null ? [] : type.keys(state).map((key) => ({ kind: key.kind, hash: keyHash(key), recordId }))

/** How a record's columns were and are; null where it has no keys (not there, or not active). */
export type KeyChange = { recordId: string; before: State | null; after: State | null }

/** Moves the keys of records from how they were to how they are; writes only what differs. */
export async function writeKeys(
  tx: Tx,
  orgId: string,
  type: RecordType,
  changes: readonly KeyChange[],
): Promise<void> {
  const added: StoredKey[] = []
  const removed: StoredKey[] = []
  for (const { recordId, before, after } of changes) {
    const name = (key: StoredKey) => `${key.kind} ${key.hash}`
    const old = new Map(storedKeys(type, recordId, before).map((key) => [name(key), key]))
    const now = new Map(storedKeys(type, recordId, after).map((key) => [name(key), key]))
    for (const [key, stored] of now) if (!old.has(key)) added.push(stored)
    for (const [key, stored] of old) if (!now.has(key)) removed.push(stored)
  }
  const arrays = (keys: StoredKey[]) => [
    keys.map((k) => k.kind),
    keys.map((k) => k.hash),
    keys.map((k) => k.recordId),
  ]
  const from = `from unnest($2::text[], $3::bigint[], $4::uuid[]) as k (kind, hash, record_id)`
  const table = `${type.entity}_key`
  await Promise.all([
    removed.length > 0 &&
      tx.run({
        text: `
          delete from ${table} t using (select * ${from}) as k
          where t.org_id = $1 and t.kind = k.kind and t.hash = k.hash and t.${type.idField} = k.record_id`,
        values: [orgId, ...arrays(removed)],
      }),
    added.length > 0 &&
      tx.run({
        text: `insert into ${table} (org_id, kind, hash, ${type.idField}) select $1, k.kind, k.hash, k.record_id ${from}`,
        values: [orgId, ...arrays(added)],
      }),
  ])
}
