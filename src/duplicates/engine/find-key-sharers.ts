import { blockMax } from '../../matching/blocks.ts'
import type { EntityType } from '../../matching/entity-type.ts'
import { exactKinds, matchKeysOf } from '../../matching/match-keys.ts'
import { entityNumbers } from '../../matching/match-record.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { rawSql, sql } from '../../platform/db/sql.ts'
import { hashedKeys } from '../../records/keys.ts'
import { type StoredRow, storedColumns, storedRecords } from '../../records/lock.ts'
import type { Stored, StoredColumns } from '../../records/record-type.ts'
import { recordTypes } from '../entities.ts'
import { comparedColumns } from './compared-records.ts'

/** The most records that one record is compared with. */
const sharersMax = 200

type Asked = { recordId: string; state: StoredColumns }

/** By record, the ids of the records that share a key with it, most shared keys first; and these records. */
type KeySharers = { idsOf: Map<string, string[]>; records: Stored[] }

type Row = StoredRow & { sharer_id: string; places: number[] }

/**
 * Finds records that share a match key or an exact key with some records: up to 200 for each. A key that more than 30
 * records share does not count. It also reads the compared columns of the found records.
 */
export async function findKeySharers(
  tx: OrgTx,
  entityType: EntityType,
  asked: readonly Asked[],
): Promise<KeySharers> {
  const type = recordTypes[entityType]
  const { owners, match, exact } = keysOf(entityType, asked)
  const [table, keyTable, id] = [type.entity, `${type.entity}_key`, type.idField].map(rawSql)
  const [max, limit] = [rawSql(String(blockMax)), rawSql(`limit ${blockMax + 1}`)]
  const askedIds = asked.map(({ recordId }) => recordId)
  const columns = storedColumns(type, comparedColumns(entityType))
  // `(select …)` hides the array's length from the planner, so that one plan serves all lengths.
  const rows = await tx.rows(sql<Row>`
    with sharer as materialized (
      select k.place, t.record_id
      from unnest(
        (select ${match.places}::integer[]), (select ${match.kinds}::smallint[]), (select ${match.hashes}::bigint[])
      ) as k (place, kind, hash)
      cross join lateral (
        select m.record_id from match_key m
        where m.org_id = ${tx.orgId} and m.entity = ${entityNumbers[entityType]} and m.kind = k.kind and m.hash = k.hash
        ${limit}) as t
      union all
      select k.place, t.record_id
      from unnest(
        (select ${exact.places}::integer[]), (select ${exact.kinds}::text[]), (select ${exact.hashes}::bigint[])
      ) as k (place, kind, hash)
      cross join lateral (
        select e.${id} as record_id from ${keyTable} e
        where e.org_id = ${tx.orgId} and e.kind = k.kind and e.hash = k.hash ${limit}) as t
    ), other as (
      select s.record_id, array_agg(s.place) as places
      from (select place, record_id, count(*) over (partition by place) as sharers from sharer) as s
      where s.sharers <= ${max} group by s.record_id
    )
    select o.record_id as sharer_id, o.places, ${columns}
    from other o left join lateral (
      select * from ${table} r
      where r.org_id = ${tx.orgId} and r.${id} = o.record_id and r.status <> 'erased'
        and not o.record_id = any((select ${askedIds}::uuid[])::uuid[]) offset 0
    ) as r on true`)
  const shared = new Map<string, Map<string, number>>()
  for (const { sharer_id: other, places } of rows) {
    for (const place of places) {
      const owner = owners[place]
      if (owner === undefined) continue
      const counts = shared.get(owner) ?? new Map<string, number>()
      shared.set(owner, counts)
      if (other !== owner) counts.set(other, (counts.get(other) ?? 0) + 1)
    }
  }
  const found = rows.flatMap(({ sharer_id: _id, places: _places, ...row }) => (row.record_id ? [row] : []))
  return {
    idsOf: new Map([...shared].map(([owner, counts]) => [owner, mostShared(counts)])),
    records: await storedRecords(tx, type, found as StoredRow[]),
  }
}

/** The keys of records as PostgreSQL arrays. `owners` has the record of the key in each place. */
function keysOf(entityType: EntityType, asked: readonly Asked[]) {
  const owners: string[] = []
  const match = { places: [] as number[], kinds: [] as number[], hashes: [] as string[] }
  const exact = { places: [] as number[], kinds: [] as string[], hashes: [] as string[] }
  for (const { recordId, state } of asked) {
    for (const { kind, hash } of matchKeysOf(entityType, state)) {
      match.places.push(owners.push(recordId) - 1)
      match.kinds.push(kind)
      match.hashes.push(hash)
    }
    const keys = recordTypes[entityType].keys(state)
    for (const { kind, hash } of hashedKeys(
      keys.filter((key) => exactKinds[entityType].includes(key.kind)),
    )) {
      exact.places.push(owners.push(recordId) - 1)
      exact.kinds.push(kind)
      exact.hashes.push(hash)
    }
  }
  return { owners, match, exact }
}

/** The ids with the highest counts. Of equal counts, the older record comes first. */
function mostShared(counts: ReadonlyMap<string, number>): string[] {
  return [...counts]
    .sort(([one, ones], [other, others]) => others - ones || (one < other ? -1 : 1))
    .slice(0, sharersMax)
    .map(([recordId]) => recordId)
}
