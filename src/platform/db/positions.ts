import type { OrgTx } from './org-tx.ts'
import { rawSql, sql } from './sql.ts'

/** A table whose rows have an order: `position` counts from 1. */
export type OrderedTable = { table: 'close_reason' | 'field_definition'; id: 'close_reason_id' | 'field_id' }

/**
 * Moves a row to a position. Without a position, the row keeps its place.
 * @param order the ids of all rows, in order. The moved row may be missing
 */
export async function moveTo(
  tx: OrgTx,
  of: OrderedTable,
  order: readonly string[],
  rowId: string,
  position: number | undefined,
): Promise<void> {
  if (position === undefined) return
  const others = order.filter((id) => id !== rowId)
  await setPositions(tx, of, others.toSpliced(position - 1, 0, rowId))
}

/** Stores the order of rows. @param order the ids of all rows, in order */
export async function setPositions(tx: OrgTx, of: OrderedTable, order: readonly string[]): Promise<void> {
  const [table, id] = [rawSql(of.table), rawSql(of.id)]
  await tx.run(sql`
    update ${table} t set position = o.position
    from unnest(${order}::uuid[]) with ordinality as o (row_id, position)
    where t.org_id = ${tx.orgId} and t.${id} = o.row_id and t.position <> o.position`)
}
