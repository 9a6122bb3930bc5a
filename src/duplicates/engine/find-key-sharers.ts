import { blockMax } from '../../matching/blocks.ts'
import type { EntityType } from '../../matching/entity-type.ts'
import { exactKinds, matchKeysOf } from '../../matching/match-keys.ts'
import { entityNumbers } from '../../matching/match-record.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { rawSql, sql } from '../../platform/db/sql.ts'
import { inSlices } from '../../platform/slices.ts'
import { hashedKeys } from '../../records/keys.ts'
import type { StoredColumns } from '../../records/record-type.ts'
import { recordTypes } from '../entities.ts'

/** The maximum number of records to compare with one record. */
const sharersMax = 200

type Asked = { recordId: string; state: StoredColumns }

type Row = { owner_id: string; sharer_ids: string[] }

/**
 * For each record, finds up to 200 records with the same match key or exact key. Records with the most common keys
 * come first. A key with more than 30 records does not count.
 * @returns the found ids for each record
 */
export async function findKeySharers(
  tx: OrgTx,
  entityType: EntityType,
  asked: readonly Asked[],
): Promise<Map<string, string[]>> {
  const type = recordTypes[entityType]
  const { match, exact } = await inSlices(tx.payerId, readingKeys(entityType, asked))
  const [keyTable, id] = [`${type.entity}_key`, type.idField].map(rawSql)
  const [keyMax, limit, most] = [blockMax, blockMax + 1, sharersMax].map((each) => rawSql(String(each)))
  // `(select …)` hides the length of the array from the planner, so PostgreSQL reuses one plan.
  const rows = await tx.rows(sql<Row>`
    with sharer as materialized (
      select k.owner_id, t.ids
      from unnest(
        (select ${match.owners}::uuid[]), (select ${match.kinds}::smallint[]), (select ${match.hashes}::bigint[])
      ) as k (owner_id, kind, hash)
      cross join lateral (
        select array_agg(m.record_id) as ids from (
          select m.record_id from match_key m
          where m.org_id = ${tx.orgId} and m.entity = ${entityNumbers[entityType]} and m.kind = k.kind and m.hash = k.hash
          limit ${limit}) as m) as t
      union all
      select k.owner_id, t.ids
      from unnest(
        (select ${exact.owners}::uuid[]), (select ${exact.kinds}::text[]), (select ${exact.hashes}::bigint[])
      ) as k (owner_id, kind, hash)
      cross join lateral (
        select array_agg(e.record_id) as ids from (
          select e.${id} as record_id from ${keyTable} e
          where e.org_id = ${tx.orgId} and e.kind = k.kind and e.hash = k.hash limit ${limit}) as e) as t
    ), pair as (
      select s.owner_id, o.record_id,
        row_number() over (partition by s.owner_id order by count(*) desc, o.record_id) as place
      from sharer s cross join lateral unnest(s.ids) as o (record_id)
      where cardinality(s.ids) <= ${keyMax} and o.record_id <> s.owner_id
      group by s.owner_id, o.record_id
    )
    select owner_id, array_agg(record_id order by place) as sharer_ids from pair
    where place <= ${most} group by owner_id`)
  return new Map(rows.map(({ owner_id, sharer_ids }) => [owner_id, sharer_ids]))
}

type Keys<Kind> = { owners: string[]; kinds: Kind[]; hashes: string[] }

/** Makes arrays for PostgreSQL with the record, the kind and the hash of each key, in steps. */
function* readingKeys(
  entityType: EntityType,
  asked: readonly Asked[],
): Generator<undefined, { match: Keys<number>; exact: Keys<string> }> {
  const match: Keys<number> = { owners: [], kinds: [], hashes: [] }
  const exact: Keys<string> = { owners: [], kinds: [], hashes: [] }
  for (const { recordId, state } of asked) {
    for (const { kind, hash } of matchKeysOf(entityType, state)) {
      match.owners.push(recordId)
      match.kinds.push(kind)
      match.hashes.push(hash)
    }
    const keys = recordTypes[entityType].keys(state)
    for (const { kind, hash } of hashedKeys(
      keys.filter((key) => exactKinds[entityType].includes(key.kind)),
    )) {
      exact.owners.push(recordId)
      exact.kinds.push(kind)
      exact.hashes.push(hash)
    }
    yield
  }
  return { match, exact }
}
