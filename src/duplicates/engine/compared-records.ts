import type { EntityType } from '../../matching/entity-type.ts'
import { matchColumns } from '../../matching/match-record.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { exactTotal } from '../../platform/db/page.ts'
import { sql } from '../../platform/db/sql.ts'
import { type StoredRow, storedColumns, storedRecords } from '../../records/lock.ts'
import type { Stored } from '../../records/record-type.ts'
import { recordTypes } from '../entities.ts'

/** The columns of a record's row that are compared, without its links. */
export const comparedColumns = (entityType: EntityType): string[] =>
  matchColumns[entityType].filter((column) => column in recordTypes[entityType].columns)

/** A page of an org's active records after an id, with the compared columns as JSON; null: no more records. */
export async function readPage(
  tx: OrgTx,
  orgId: string,
  entityType: EntityType,
  after: string,
  limit: number,
): Promise<{ page: string; last: string } | null> {
  const id = recordTypes[entityType].idField
  // One JSON text for all rows: this process only passes it on to a thread.
  const row = await tx.first<{ page: string | null; last: string }>({
    text: `
      select json_agg(r order by r.record_id)::text as page,
        (array_agg(r.record_id order by r.record_id))[count(*)] as last
      from (
        select ${id} as record_id, ${comparedColumns(entityType).join(', ')} from ${entityType}
        where org_id = $1 and status = 'active' and ${id} > $2 order by ${id} limit $3
      ) as r`,
    values: [orgId, after, limit],
  })
  return row?.page ? { page: row.page, last: row.last } : null
}

/** The active records among some ids, with the compared columns. */
export async function readCompared(
  tx: OrgTx,
  orgId: string,
  entityType: EntityType,
  recordIds: readonly string[],
): Promise<Stored[]> {
  const type = recordTypes[entityType]
  const rows = await tx.rows<StoredRow>({
    text: `
      select ${storedColumns(type, comparedColumns(entityType))} from ${entityType} r
      where r.org_id = $1 and r.${type.idField} = any($2::uuid[])`,
    values: [orgId, recordIds],
  })
  const active = rows.filter(({ status }) => status === 'active')
  return storedRecords(tx, type, active)
}

/** How many active records an org has. */
export async function countRecords(tx: OrgTx, orgId: string, entityType: EntityType): Promise<number> {
  const row = await tx.first(sql<{ total: string }>`select (${exactTotal(orgId, entityType)})::text as total`)
  return Number(row?.total ?? 0)
}
