import { lockAllExclusive, lockExclusive, lockShared } from '../platform/db/advisory-lock.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { rawSql, sql } from '../platform/db/sql.ts'
import { hashedKeys, keyName } from './keys.ts'
import { namesOf } from './names.ts'
import type { HashedKey, RecordType, Stored } from './record-type.ts'

/** The maximum number of active records that are read for one key. */
export const candidatesMax = 11
/**
 * The maximum number of keys that a transaction locks one by one. With more keys, it locks all keys of the org, because
 * PostgreSQL has room for only a few thousand locks.
 */
const lockedKeysMax = 500

/** The search of an upsert: active records that have any of `keys`, which are of the kind `matchOn`. */
export type Match = { matchOn: string; keys: readonly HashedKey[] }

/** For each of `matches`, returns the matching records among `records`. */
export const matchesAmong = (
  type: RecordType,
  matches: readonly Match[],
  found: ReadonlyMap<string, string[]>,
  records: readonly Stored[],
): Stored[][] =>
  matches.map((match) => {
    const own = new Set(match.keys.flatMap((key) => found.get(keyName(key)) ?? []))
    return records.filter((stored) => own.has(stored.recordId) && isMatch(type, match, stored))
  })

/** Whether a record still matches. It may have been archived, or may have lost the key. */
export function isMatch(type: RecordType, { matchOn, keys }: Match, { status, state }: Stored): boolean {
  const wanted = new Set(keys.map(keyName))
  return (
    status === 'active' &&
    hashedKeys(type.matchOn[matchOn]?.(state) ?? []).some((key) => wanted.has(keyName(key)))
  )
}

const distinctKeys = (matches: readonly Match[]): HashedKey[] => [
  ...new Map(matches.flatMap(({ keys }) => keys).map((key) => [keyName(key), key])).values(),
]

/** Locks the keys of upserts, always in the same order: otherwise two upserts could deadlock. */
export async function lockKeys(tx: OrgTx, type: RecordType, matches: readonly Match[]): Promise<void> {
  if (matches.length === 0) return
  const keys = distinctKeys(matches)
  const allKeys = `keys of ${type.entity} ${tx.orgId}`
  if (keys.length > lockedKeysMax) return lockExclusive(tx, allKeys)
  const names = keys.map((key) => `key of ${type.entity} ${tx.orgId} ${keyName(key)}`)
  await Promise.all([lockShared(tx, allKeys), lockAllExclusive(tx, names)])
}

/** The ids of active records by key name, the oldest first, at most `candidatesMax` for each key. */
export async function findCandidates(
  tx: OrgTx,
  type: RecordType,
  matches: readonly Match[],
): Promise<Map<string, string[]>> {
  const keys = distinctKeys(matches)
  const kinds = keys.map(({ kind }) => kind)
  const hashes = keys.map(({ hash }) => hash)
  const { keyTable, id } = namesOf(type)
  const rows = await tx.rows(sql<HashedKey & { record_ids: string[] }>`
    select k.kind, k.hash::text, array(
      select t.${id} from ${keyTable} t
      where t.org_id = ${tx.orgId} and t.kind = k.kind and t.hash = k.hash
      order by t.${id} limit ${rawSql(String(candidatesMax))}
    ) as record_ids
    from unnest(${kinds}::text[], ${hashes}::bigint[]) as k (kind, hash)`)
  return new Map(rows.map((row) => [keyName(row), row.record_ids]))
}
