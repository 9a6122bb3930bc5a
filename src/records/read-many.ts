import { anyUuid } from '../platform/db/any-uuid.ts'
import type { TextRow } from '../platform/db/json-columns.ts'
import type { Org } from '../platform/db/org.ts'
import { requireAllRows } from '../platform/db/row-bound.ts'
import { rawSql, type Sql, sql, withTextRows } from '../platform/db/sql.ts'
import { rowCanonicalIdSql } from './canonical.ts'
import { keyName } from './keys.ts'
import { namesOf } from './names.ts'
import type { HashedKey, RecordType } from './record-type.ts'

export type ReadResult = {
  status: 'found' | 'merged' | 'erased' | 'not_found'
  /** The record as JSON text; null: not found. */
  record: string | null
  /** The other records that have the key, the oldest first. */
  otherIds: readonly string[]
}

/** The maximum number of other records that an answer names for a key. */
export const otherIdsMax = 100

const notShown = (status: 'erased' | 'not_found'): ReadResult => ({ status, record: null, otherIds: [] })

/**
 * Reads the canonical records of some ids in one statement, including archived ones. Returns a result for each id.
 * @param wire the members to show of each record; by default all
 * @throws DomainError too_large
 */
export async function readByIds(
  org: Org,
  type: RecordType,
  recordIds: readonly string[],
  wire = type.wire,
): Promise<(recordId: string) => ReadResult> {
  const { table, id } = namesOf(type)
  const rows = await org.readRows(
    withTextRows(sql<TextRow>`
      select n.record_id, n.status, found.*
      from (
        select n.${id} as record_id, n.status, ${rowCanonicalIdSql('n', type.idField)} as canonical_id
        from ${table} n where n.org_id = ${org.orgId} and n.${id} = ${anyUuid(recordIds)} offset 0
      ) as n ${recordWithId(org, type, sql`n.canonical_id`, wire)}`),
  )
  const byId = new Map(requireAllRows(rows).map((row) => [row[0], row]))
  return (recordId) => {
    const row = byId.get(recordId)
    if (!row) return notShown('not_found')
    const [, status, canonicalId] = row
    if (status === 'erased') return notShown('erased')
    return {
      status: canonicalId === recordId ? 'found' : 'merged',
      record: wire.object(row, 3),
      otherIds: [],
    }
  }
}

/**
 * Reads the oldest active record of each key in one statement. Returns a result for each key.
 * @param wire the members to show of each record; by default all
 * @throws DomainError too_large
 */
export async function readByKeys(
  org: Org,
  type: RecordType,
  keys: readonly HashedKey[],
  wire = type.wire,
): Promise<(key: HashedKey) => ReadResult> {
  const { table, keyTable, id } = namesOf(type)
  const kinds = keys.map(({ kind }) => kind)
  const hashes = keys.map(({ hash }) => hash)
  // Keys have no owner, so row-level security hides only their records.
  const isSeen = org.actor.recordAccess
    ? sql`and exists (select from ${table} s where s.org_id = t.org_id and s.${id} = t.${id} offset 0)`
    : sql``
  const rows = await org.readRows(
    withTextRows(sql<TextRow>`
      select k.kind || ' ' || k.hash, array_to_string(k.ids[2:], ','), found.*
      from (
        select a.kind, a.hash, array(
          select t.${id} from ${keyTable} t
          where t.org_id = ${org.orgId} and t.kind = a.kind and t.hash = a.hash ${isSeen}
          order by t.${id} limit ${rawSql(String(otherIdsMax + 1))}
        ) as ids
        from (select distinct * from unnest(${kinds}::text[], ${hashes}::bigint[])) as a (kind, hash) offset 0
      ) as k ${recordWithId(org, type, sql`k.ids[1]`, wire)}`),
  )
  const byName = new Map(requireAllRows(rows).map((row) => [row[0], row]))
  return (key) => {
    const row = byName.get(keyName(key))
    if (!row?.[2]) return notShown('not_found')
    return { status: 'found', record: wire.object(row, 3), otherIds: row[1] ? row[1].split(',') : [] }
  }
}

/**
 * The id and the columns of a record, or nulls. `offset 0` forces a lookup for each row: a plan made for an empty table
 * would scan all records otherwise.
 */
function recordWithId(org: Org, type: RecordType, recordId: Sql, wire: RecordType['wire']): Sql {
  const { table, id } = namesOf(type)
  return sql`left join lateral (
    select r.${id}, ${wire.columns} from ${table} r
    where r.org_id = ${org.orgId} and r.${id} = ${recordId} and r.status <> 'erased' offset 0
  ) as found on true`
}
