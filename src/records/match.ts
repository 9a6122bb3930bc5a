import type { Tx } from '../platform/db/tx.ts'
import { type HashedKey, hashedKeys, keyHash, keyName } from './keys.ts'
import { lockRecords, type Stored } from './lock.ts'
import type { RecordType } from './record-type.ts'

/** Of the active records that have the same key, as many are looked at. */
export const candidatesMax = 11
/** Single keys that a transaction holds; with more it holds all of the org's: PostgreSQL has room for some thousands. */
const heldKeysMax = 500
/** How often what commits while a record is waited for is followed. */
const followsMax = 10

/** What an upsert looks for: an active record that has any of `keys`, which are of the kind `matchOn`. */
export type Match = { matchOn: string; keys: readonly HashedKey[] }

/**
 * Holds the keys of upserts until the transaction ends, and locks the records that match now; both in one order for
 * everybody, so that no two transactions that write any number of items wait for each other in a circle.
 */
export async function holdMatches(
  tx: Tx,
  orgId: string,
  type: RecordType,
  matches: readonly Match[],
): Promise<void> {
  if (matches.length === 0) return
  await holdKeys(tx, orgId, type, distinctKeys(matches))
  // A single one locks what it finds as it reads it.
  if (matches.length === 1) return
  const found = await candidates(tx, orgId, type, matches)
  const id = type.idField
  await tx.rows({
    text: `select from ${type.entity} where org_id = $1 and ${id} = any($2::uuid[]) order by ${id} for no key update`,
    values: [orgId, [...new Set([...found.values()].flat())]],
  })
}

/** The active records that match, locked: for each of `matches`, those that have any of its keys, oldest first. */
export async function findMatches(
  tx: Tx,
  orgId: string,
  type: RecordType,
  matches: readonly Match[],
): Promise<Stored[][]> {
  if (matches.length === 0) return []
  for (let follows = 0; ; follows++) {
    const found = await candidates(tx, orgId, type, matches)
    const ids = [...new Set([...found.values()].flat())]
    const locked = ids.length > 0 ? await lockRecords(tx, orgId, type, ids) : []
    const matching = matches.map((match) => {
      const own = new Set(match.keys.flatMap((key) => found.get(keyName(key)) ?? []))
      return locked.filter((stored) => own.has(stored.recordId) && isMatch(type, match, stored))
    })
    // One that was merged, or gave up the key to another, while this waited for it.
    const settled = new Set(matching.flat())
    if (follows === followsMax || locked.every((stored) => settled.has(stored))) return matching
  }
}

/** False for one that was archived, or lost the key, since it was found. */
export function isMatch(type: RecordType, { matchOn, keys }: Match, { status, state }: Stored): boolean {
  const wanted = new Set(keys.map(keyName))
  return (
    status === 'active' && hashedKeys(type.matchOn[matchOn]!(state)).some((key) => wanted.has(keyName(key)))
  )
}

const distinctKeys = (matches: readonly Match[]): HashedKey[] => [
  ...new Map(matches.flatMap(({ keys }) => keys).map((key) => [keyName(key), key])).values(),
]

async function holdKeys(tx: Tx, orgId: string, type: RecordType, keys: readonly HashedKey[]): Promise<void> {
  const all = keyHash({ kind: 'all keys', value: `${orgId} ${type.entity}` })
  if (keys.length > heldKeysMax) {
    await tx.run({ text: 'select pg_advisory_xact_lock($1::bigint)', values: [all] })
    return
  }
  const locks = keys
    .map((key) => keyHash({ kind: `key ${orgId} ${type.entity}`, value: keyName(key) }))
    .sort()
  await Promise.all([
    tx.run({ text: 'select pg_advisory_xact_lock_shared($1::bigint)', values: [all] }),
    tx.run({ text: 'select pg_advisory_xact_lock(k) from unnest($1::bigint[]) as k', values: [locks] }),
  ])
}

/** Ids of the active records that have a key, by the key's name; the oldest first, and at most `candidatesMax` for each. */
async function candidates(
  tx: Tx,
  orgId: string,
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
    values: [orgId, keys.map(({ kind }) => kind), keys.map(({ hash }) => hash)],
  })
  return new Map(rows.map((row) => [keyName(row), row.record_ids]))
}
