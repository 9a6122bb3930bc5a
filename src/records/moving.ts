import type { Org } from '../platform/db/org.ts'
import type { Tx } from '../platform/db/tx.ts'
import { conflict } from '../platform/http/problem.ts'
import type { Links, RecordType, Reference } from './record-type.ts'

// A merge that moves very many records gives them to a job (duplicates/children.ts). Until each is moved, it still has
// the record that stood for what it names before; `child_move` lists those, and is empty but for such times.

/** SQL of the record that a reference in `table` stands for, also while it waits to be moved. */
export function standingFor(table: string, { rawColumn, column, to }: ReferenceColumns): string {
  // The first question is asked once for all rows, and mostly ends it.
  return `case when (select exists (select from child_move)) and exists (
      select from child_move v where v.org_id = ${table}.org_id and v.entity = '${to}' and v.from_id = ${table}.${column}
    ) then (
      select coalesce(n.merged_into_id, n.${to}_id) from ${to} n
      where n.org_id = ${table}.org_id and n.${to}_id = ${table}.${rawColumn}
    ) else ${table}.${column} end`
}

type ReferenceColumns = { rawColumn: string; column: string; to: (Reference | Links)['to'] }

/** The records that others still have, though something else stands for what they name; of those kinds. */
export async function movingFrom(org: Org, kinds: readonly string[]): Promise<string[]> {
  if (kinds.length === 0) return []
  const rows = await org.readRows<{ from_id: string }>({
    text: 'select distinct from_id from child_move where org_id = $1 and entity = any($2)',
    values: [org.orgId, kinds],
  })
  return rows.map((row) => row.from_id)
}

/** @throws Problem 409 while records that name any of `recordIds`, or are stored as if they did, are being moved */
export async function requireStill(
  tx: Tx,
  orgId: string,
  type: RecordType,
  recordIds: readonly string[],
): Promise<void> {
  const moving = await tx.rows({
    text: `
      select from child_move
      where org_id = $1 and entity = $2 and (from_id = any($3::uuid[]) or raw_ids && $3::uuid[])`,
    values: [orgId, type.entity, recordIds],
  })
  if (moving.length === 0) return
  throw conflict(
    `Records that name this ${type.entity} are still being moved after a merge or its undoing: try again in a moment`,
  )
}
