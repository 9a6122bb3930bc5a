import type { OrgTx } from '../platform/db/org-tx.ts'
import { type HashedKey, hashedKeys, keyHash, keyName } from './keys.ts'
import { lockRecords } from './lock.ts'
import type { RecordType, Stored } from './record-type.ts'

/** How many active records with the same key are read. */
export const candidatesMax = 11
/**
 * The most keys that a transaction locks one by one. With more, it locks all keys of the org: PostgreSQL has room for
 * a few thousand locks.
 */
const heldKeysMax = 500
/** How often the search starts again because records changed while they were locked. */
const followsMax = 10

/** What an upsert searches: an active record with any of `keys`, of the kind `matchOn`. */
export type Match = { matchOn: string; keys: readonly HashedKey[] }

/**
 * Locks the keys of upserts and the records that match now, always in the same order: two batches could deadlock
 * otherwise.
 */
export async function lockMatches(tx: OrgTx, type: RecordType, matches: readonly Match[]): Promise<void> {
  if (matches.length === 0) return
  await lockKeys(tx, type, distinctKeys(matches))
  // A single upsert locks its match when it reads it.
  if (matches.length === 1) return
  const found = await candidates(tx, type, matches)
  const id = type.idField
  await tx.rows({
    text: `select from ${type.entity} where org_id = $1 and ${id} = any($2::uuid[]) order by ${id} for no key update`,
    values: [tx.orgId, [...new Set([...found.values()].flat())]],
  })
}

/** Locks and returns the matching active records of each of `matches`, the oldest first. */
export async function findMatches(
  tx: OrgTx,
  type: RecordType,
  matches: readonly Match[],
): Promise<Stored[][]> {
  if (matches.length === 0) return []
  for (let follows = 0; ; follows++) {
    const found = await candidates(tx, type, matches)
    const ids = [...new Set([...found.values()].flat())]
    const locked = ids.length > 0 ? await lockRecords(tx, type, ids) : []
    const matching = matches.map((match) => {
      const own = new Set(match.keys.flatMap((key) => found.get(keyName(key)) ?? []))
      return locked.filter((stored) => own.has(stored.recordId) && isMatch(type, match, stored))
    })
    // A record was merged or lost the key while this waited for its lock: search again.
    const settled = new Set(matching.flat())
    if (follows === followsMax || locked.every((stored) => settled.has(stored))) return matching
  }
}

/** Whether a record still matches: it may have been archived, or have lost the key. */
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

async function lockKeys(tx: OrgTx, type: RecordType, keys: readonly HashedKey[]): Promise<void> {
  const all = keyHash({ kind: 'all keys', value: `${tx.orgId} ${type.entity}` })
  if (keys.length > heldKeysMax) {
    await tx.run({ text: 'select pg_advisory_xact_lock($1::bigint)', values: [all] })
    return
  }
  const locks = keys
    .map((key) => keyHash({ kind: `key ${tx.orgId} ${type.entity}`, value: keyName(key) }))
    .sort()
  await Promise.all([
    tx.run({ text: 'select pg_advisory_xact_lock_shared($1::bigint)', values: [all] }),
    tx.run({ text: 'select pg_advisory_xact_lock(k) from unnest($1::bigint[]) as k', values: [locks] }),
  ])
}

/** The ids of active records by key name, the oldest first, at most `candidatesMax` for each key. */
async function candidates(
  tx: OrgTx,
  type: RecordType,
  matches: readonly Match[],
): Promise<Map<string, string[]>> {
  const keys = distinctKeys(matches)
  const rows = await tx.rows<HashedKey & { record_ids: string[] }>({
    text: `
      select k.kind, k.hash::text, array(
        select t.${type.idField} from ${type.entity}_key t
        where t.org_id = $1 and t.kind = k.kind and t.hash = k.hash order by t.${type.idField} limit ${candidatesMax}
      ) as record_ids
      from unnest($2::text[], $3::bigint[]) as k (kind, hash)`,
    values: [tx.orgId, keys.map(({ kind }) => kind), keys.map(({ hash }) => hash)],
  })
  return new Map(rows.map((row) => [keyName(row), row.record_ids]))
}
