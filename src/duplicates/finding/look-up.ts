import type { Tx } from '../../platform/db/tx.ts'
import { hashedKeys } from '../../records/keys.ts'
import type { State } from '../../records/record-type.ts'
import { type EntityType, recordTypes } from '../entities.ts'
import { exactKinds, matchKeysOf } from '../match-keys.ts'
import { entityNumbers } from '../match-record.ts'

/** A key that more records share is no evidence that any two of them are the same: info@, a switchboard. */
export const sharersMost = 30
/** Others that one record is compared with. */
const othersMost = 200

type Asked = { recordId: string; state: State }

/**
 * For each of some records the others that share a key with it, those that share most keys first: 200 at most, and none
 * by a key that more than 30 records share.
 */
export async function lookUpOthers(
  tx: Tx,
  orgId: string,
  entityType: EntityType,
  asked: readonly Asked[],
): Promise<Map<string, string[]>> {
  const type = recordTypes[entityType]
  const owners: string[] = []
  const match = { places: [] as number[], kinds: [] as number[], hashes: [] as string[] }
  const exact = { places: [] as number[], kinds: [] as string[], hashes: [] as string[] }
  for (const { recordId, state } of asked) {
    for (const { kind, hash } of matchKeysOf(entityType, state)) {
      match.places.push(owners.push(recordId) - 1)
      match.kinds.push(kind)
      match.hashes.push(hash)
    }
    for (const { kind, hash } of hashedKeys(type.keys(state))) {
      if (!exactKinds[entityType].includes(kind)) continue
      exact.places.push(owners.push(recordId) - 1)
      exact.kinds.push(kind)
      exact.hashes.push(hash)
    }
  }
  const limit = `limit ${sharersMost + 1}`
  const rows = await tx.rows<{ place: number; record_id: string }>({
    text: `
      select k.place, t.record_id
      from unnest($3::integer[], $4::smallint[], $5::bigint[]) as k (place, kind, hash)
      cross join lateral (
        select m.record_id from match_key m
        where m.org_id = $1 and m.entity = $2 and m.kind = k.kind and m.hash = k.hash ${limit}) as t
      union all
      select k.place, t.record_id
      from unnest($6::integer[], $7::text[], $8::bigint[]) as k (place, kind, hash)
      cross join lateral (
        select e.${type.idField} as record_id from ${type.entity}_key e
        where e.org_id = $1 and e.kind = k.kind and e.hash = k.hash ${limit}) as t`,
    values: [
      orgId,
      entityNumbers[entityType],
      match.places,
      match.kinds,
      match.hashes,
      exact.places,
      exact.kinds,
      exact.hashes,
    ],
  })
  const shared = new Map<string, Map<string, number>>()
  for (const [place, sharers] of Map.groupBy(rows, (row) => row.place)) {
    if (sharers.length > sharersMost) continue
    const owner = owners[place]!
    const counts = shared.get(owner) ?? new Map<string, number>()
    shared.set(owner, counts)
    for (const { record_id: other } of sharers)
      if (other !== owner) counts.set(other, (counts.get(other) ?? 0) + 1)
  }
  return new Map([...shared].map(([owner, counts]) => [owner, mostShared(counts)]))
}

/** The ids with the highest counts; of equal ones the older first. */
function mostShared(counts: ReadonlyMap<string, number>): string[] {
  return [...counts]
    .sort(([one, ones], [other, others]) => others - ones || (one < other ? -1 : 1))
    .slice(0, othersMost)
    .map(([recordId]) => recordId)
}
