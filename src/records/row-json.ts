import type { OrgTx } from '../platform/db/org-tx.ts'
import { rawSql, type Sql, sql } from '../platform/db/sql.ts'
import { timeOf } from '../platform/db/uuid-time.ts'
import { mapInSlices } from '../platform/slices.ts'
import type { RecordType, StoredColumns } from './record-type.ts'
import { searchVector } from './search.ts'

export type WrittenRecord = { recordId: string; state: StoredColumns }

/** The names of the columns of a record type. */
export const columnList = (type: RecordType): string[] => Object.keys(type.columns)

/** SQL that reads `json` (made by `asJson`) as a table `w`. */
export function asRows(type: RecordType, json: string, names: readonly string[] = columnList(type)): Sql {
  const columns = names.map((column) => `${column} ${type.columns[column]}`)
  const row = rawSql(['record_id uuid', 'search tsvector', 'created_ms bigint', ...columns].join(', '))
  return sql`json_to_recordset(${json}) as w (${row})`
}

/** JSON for `asRows`: columns, creation time and, with `search`, the search text. */
export async function asJson(
  { orgId, payerId }: Pick<OrgTx, 'orgId' | 'payerId'>,
  type: RecordType,
  records: readonly WrittenRecord[],
  { columns = columnList(type), search = true }: { columns?: readonly string[]; search?: boolean } = {},
): Promise<string> {
  const rows = await mapInSlices(payerId, records, ({ recordId, state }) => {
    const row: StoredColumns = { record_id: recordId, created_ms: timeOf(recordId) }
    if (search) row.search = searchVector(orgId, type, state)
    // Leave out nulls: a missing member reads as null.
    for (const column of columns) if (state[column] !== null) row[column] = state[column]
    return JSON.stringify(row)
  })
  return `[${rows.join()}]`
}
