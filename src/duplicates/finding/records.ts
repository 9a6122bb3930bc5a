import { exactTotal } from '../../platform/db/page.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { type Stored, type StoredRow, storedColumns, storedRecords } from '../../records/lock.ts'
import { type EntityType, recordTypes } from '../entities.ts'
import { matchKeysOf } from '../match-keys.ts'
import { entityNumbers, matchColumns } from '../match-record.ts'

/** Comes before every id. */
export const beforeAll = '00000000-0000-0000-0000-000000000000'

/** The columns of a record that say by themselves what is compared of it. */
const columnsOf = (entityType: EntityType) => {
  const { columns } = recordTypes[entityType]
  return matchColumns[entityType].filter((column) => column in columns)
}

/** A page of an org's active records after an id, as JSON of what is compared of them; null: there are no more. */
export async function readPage(
  tx: Tx,
  orgId: string,
  entityType: EntityType,
  after: string,
  limit: number,
): Promise<{ page: string; last: string } | null> {
  const id = recordTypes[entityType].idField
  // One value for all rows: this process passes it on as it is.
  const row = await tx.first<{ page: string | null; last: string }>({
    text: `
      select json_agg(r order by r.record_id)::text as page,
        (array_agg(r.record_id order by r.record_id))[count(*)] as last
      from (
        select ${id} as record_id, ${columnsOf(entityType).join(', ')} from ${entityType}
        where org_id = $1 and status = 'active' and ${id} > $2 order by ${id} limit $3
      ) as r`,
    values: [orgId, after, limit],
  })
  return row?.page ? { page: row.page, last: row.last } : null
}

/** Those of the records that are active, with what is compared of them. */
export async function readCompared(
  tx: Tx,
  orgId: string,
  entityType: EntityType,
  recordIds: readonly string[],
): Promise<Stored[]> {
  const type = recordTypes[entityType]
  const rows = await tx.rows<StoredRow>({
    text: `
      select ${storedColumns(type, columnsOf(entityType))} from ${entityType} r
      where r.org_id = $1 and r.${type.idField} = any($2::uuid[])`,
    values: [orgId, recordIds],
  })
  const active = rows.filter(({ status }) => status === 'active')
  return storedRecords(tx, orgId, type, active)
}

/** How many active records there are. */
export async function countRecords(tx: Tx, orgId: string, entityType: EntityType): Promise<number> {
  const row = await tx.first<{ total: string }>({
    text: `select (${exactTotal(entityType)})::text as total`,
    values: [orgId],
  })
  return Number(row!.total)
}

/** All open proposals, each as the two ids that it is about. */
export async function proposedPairs(
  tx: Tx,
  orgId: string,
  entityType: EntityType,
): Promise<[string, string][]> {
  const rows = await tx.rows<{ survivor_id: string; loser_id: string }>({
    text: `select survivor_id, loser_id from merge where org_id = $1 and entity = $2 and status = 'shadow'`,
    values: [orgId, entityType],
  })
  return rows.map(({ survivor_id, loser_id }) => [survivor_id, loser_id])
}

/** Whether some of an org's records may lack their match keys, being older than these. */
export async function lacksKeys(tx: Tx, orgId: string, entityType: EntityType): Promise<boolean> {
  const rows = await tx.rows({
    text: 'select from match_key_backlog where org_id = $1 and entity = $2',
    values: [orgId, entityType],
  })
  return rows.length > 0
}

/** Notes that all of an org's records have their match keys. */
export async function noteKeys(tx: Tx, orgId: string, entityType: EntityType): Promise<void> {
  await tx.run({
    text: 'delete from match_key_backlog where org_id = $1 and entity = $2',
    values: [orgId, entityType],
  })
}

/** Writes the match keys that a lot of an org's active records lack; the last id of the lot, null: there are no more. */
export async function writeMissingKeys(
  tx: Tx,
  orgId: string,
  entityType: EntityType,
  after: string,
  limit: number,
): Promise<string | null> {
  const id = recordTypes[entityType].idField
  // Held: whoever changes one moves its keys from those of the columns that are read here.
  const rows = await tx.rows<Record<string, unknown> & { record_id: string }>({
    text: `
      select ${id} as record_id, ${columnsOf(entityType).join(', ')} from ${entityType}
      where org_id = $1 and status = 'active' and ${id} > $2 order by ${id} limit $3 for share`,
    values: [orgId, after, limit],
  })
  const keys = rows.flatMap((row) =>
    matchKeysOf(entityType, row).map((key) => ({ ...key, recordId: row.record_id })),
  )
  if (keys.length > 0) {
    await tx.run({
      text: `
        insert into match_key (org_id, entity, kind, hash, record_id)
        select $1, $2, k.kind, k.hash, k.record_id
        from unnest($3::smallint[], $4::bigint[], $5::uuid[]) as k (kind, hash, record_id)
        order by k.kind, k.hash on conflict do nothing`,
      values: [
        orgId,
        entityNumbers[entityType],
        keys.map(({ kind }) => kind),
        keys.map(({ hash }) => hash),
        keys.map(({ recordId }) => recordId),
      ],
    })
  }
  return rows.at(-1)?.record_id ?? null
}

/** The versions of those of the records that are active, by id. */
export async function readVersions(
  tx: Tx,
  orgId: string,
  entityType: EntityType,
  recordIds: readonly string[],
): Promise<Map<string, number>> {
  const id = recordTypes[entityType].idField
  // By id alone: of a table with no statistics yet PostgreSQL would rather read all active records than look up some.
  const rows = await tx.rows<{ record_id: string; version: number; status: string }>({
    text: `
      select ${id} as record_id, version, status from ${entityType}
      where org_id = $1 and ${id} = any($2::uuid[])`,
    values: [orgId, recordIds],
  })
  const active = rows.filter(({ status }) => status === 'active')
  return new Map(active.map(({ record_id, version }) => [record_id, version]))
}
