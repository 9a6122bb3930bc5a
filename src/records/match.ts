import { lockAllExclusive, lockExclusive, lockShared } from '../platform/db/advisory-lock.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { rawSql, sql } from '../platform/db/sql.ts'
import { recordsWithValues, type UniqueValue } from './defined-fields/unique-keys.ts'
import { hashedKeys, keyName } from './keys.ts'
import { namesOf } from './names.ts'
import type { HashedKey, RecordType, StoredRecord } from './record-type.ts'

/** The maximum number of active records to read for one key. */
export const candidatesMax = 11
/** A transaction with more keys locks all keys of the org: PostgreSQL has room for only a few thousand locks. */
const lockedKeysMax = 500

/** Searches active records that have any of `keys`. `unique`: the only key is a value of a unique field. */
export type Match = { matchOn: string; keys: readonly HashedKey[]; unique?: UniqueValue }

/** For each of `matches`, returns the records that match. */
export const matchesAmong = (
  type: RecordType,
  matches: readonly Match[],
  found: ReadonlyMap<string, string[]>,
  records: readonly StoredRecord[],
): StoredRecord[][] =>
  matches.map((match) => {
    const own = new Set(match.keys.flatMap((key) => found.get(keyName(key)) ?? []))
    return records.filter((stored) => own.has(stored.recordId) && isMatch(type, match, stored))
  })

/** Returns whether a locked record still matches: it may have been archived, or may have lost the key. */
export function isMatch(
  type: RecordType,
  { matchOn, keys }: Match,
  { status, state }: StoredRecord,
): boolean {
  const wanted = new Set(keys.map(keyName))
  return (
    status === 'active' &&
    hashedKeys(type.matchOn[matchOn]?.(state) ?? []).some((key) => wanted.has(keyName(key)))
  )
}

const distinctKeys = (matches: readonly Match[]): HashedKey[] => [
  ...new Map(matches.flatMap(({ keys }) => keys).map((key) => [keyName(key), key])).values(),
]

/** Lock keys in one order: two upserts could deadlock otherwise. */
export async function lockKeys(tx: OrgTx, type: RecordType, matches: readonly Match[]): Promise<void> {
  if (matches.length === 0) return
  const keys = distinctKeys(matches)
  const allKeys = `keys of ${type.entity} ${tx.orgId}`
  if (keys.length > lockedKeysMax) return lockExclusive(tx, allKeys)
  const names = keys.map((key) => `key of ${type.entity} ${tx.orgId} ${keyName(key)}`)
  await Promise.all([lockShared(tx, allKeys), lockAllExclusive(tx, names)])
}

/**
 * A visitor can claim any address. If a write by this address found the claimed record, the visitor's values would mix with
 * those of the person, or the write would find several records.
 */
const isNotClaimed = ({ columns, entity }: RecordType) =>
  'claimed_by' in columns
    ? sql`and (t.kind = 'external_id' or not exists (
        select from ${rawSql(entity)} c
        where c.org_id = t.org_id and c.${rawSql(`${entity}_id`)} = t.${rawSql(`${entity}_id`)} and c.claimed_by is not null))`
    : sql``

/** Returns ids by key name, without records that only a visitor claims, the oldest first, at most `candidatesMax` for each key. */
export async function findCandidates(
  tx: OrgTx,
  type: RecordType,
  matches: readonly Match[],
): Promise<Map<string, string[]>> {
  const unique = matches.filter((match) => match.unique !== undefined)
  const found = await findStored(
    tx,
    type,
    matches.filter((match) => match.unique === undefined),
  )
  if (unique.length === 0) return found
  const values = unique.map((match) => match.unique!)
  const ids = await recordsWithValues(tx, type.entity, values, candidatesMax)
  return new Map([
    ...found,
    ...unique.map(({ keys }, index) => [keyName(keys[0]!), ids[index] ?? []] as const),
  ])
}

async function findStored(
  tx: OrgTx,
  type: RecordType,
  matches: readonly Match[],
): Promise<Map<string, string[]>> {
  if (matches.length === 0) return new Map()
  const keys = distinctKeys(matches)
  const kinds = keys.map(({ kind }) => kind)
  const hashes = keys.map(({ hash }) => hash)
  const { keyTable, id } = namesOf(type)
  const rows = await tx.rows(sql<HashedKey & { record_ids: string[] }>`
    select k.kind, k.hash::text, array(
      select t.${id} from ${keyTable} t
      where t.org_id = ${tx.orgId} and t.kind = k.kind and t.hash = k.hash ${isNotClaimed(type)}
      order by t.${id} limit ${rawSql(String(candidatesMax))}
    ) as record_ids
    from unnest(${kinds}::text[], ${hashes}::bigint[]) as k (kind, hash)`)
  return new Map(rows.map((row) => [keyName(row), row.record_ids]))
}
