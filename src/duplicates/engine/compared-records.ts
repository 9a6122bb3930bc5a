import type { EntityType } from '../../matching/entity-type.ts'
import { matchColumns } from '../../matching/match-record.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { exactTotal } from '../../platform/db/record-totals.ts'
import { rawSql, sql } from '../../platform/db/sql.ts'
import { type StoredRow, storedColumns, storedRecords } from '../../records/lock.ts'
import type { StoredRecord } from '../../records/record-type.ts'
import { recordTypes } from '../entities.ts'

/** The compared columns of a row, without links. */
export const comparedColumns = (entityType: EntityType): string[] =>
  matchColumns[entityType].filter((column) => column in recordTypes[entityType].columns)

/** Reads a page of active records after an id, with the compared columns as JSON. null: no records follow. */
export async function readPage(
  tx: OrgTx,
  entityType: EntityType,
  after: string,
  limit: number,
): Promise<{ page: string; last: string } | null> {
  const [id, table] = [rawSql(recordTypes[entityType].idField), rawSql(entityType)]
  const columns = rawSql(comparedColumns(entityType).join(', '))
  // Read all rows as one JSON text, which this process passes to a thread unparsed.
  const row = await tx.first(sql<{ page: string | null; last: string }>`
    select json_agg(r order by r.record_id)::text as page,
      (array_agg(r.record_id order by r.record_id))[count(*)] as last
    from (
      select ${id} as record_id, ${columns} from ${table}
      where org_id = ${tx.orgId} and status = 'active' and ${id} > ${after} order by ${id} limit ${limit}
    ) as r`)
  return row?.page ? { page: row.page, last: row.last } : null
}

/** Reads the active ones of these records, with the columns that the engine compares. */
export async function readCompared(
  tx: OrgTx,
  entityType: EntityType,
  recordIds: readonly string[],
): Promise<StoredRecord[]> {
  const type = recordTypes[entityType]
  const rows = await tx.rows(sql<StoredRow>`
    select ${storedColumns(type, comparedColumns(entityType))} from ${rawSql(entityType)} r
    where r.org_id = ${tx.orgId} and r.${rawSql(type.idField)} = any(${recordIds}::uuid[])`)
  const active = rows.filter(({ status }) => status === 'active')
  return storedRecords(tx, type, active)
}

/** Counts the active records of an org. */
export async function countRecords(tx: OrgTx, entityType: EntityType): Promise<number> {
  const row = await tx.first(sql<{ total: string }>`
    select (${exactTotal(tx.orgId, entityType)})::text as total`)
  return Number(row?.total ?? 0)
}
