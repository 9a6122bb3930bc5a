import type { Org } from '../platform/db/org.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { sql } from '../platform/db/sql.ts'
import { conflict, type DomainError } from '../platform/domain-error.ts'
import type { Links, RecordType, Reference } from './record-type.ts'

// After a very large merge, a job moves the references (duplicates/merge/move-references.ts). Until then, their
// canonical column is out of date, and `child_move` lists them.

/** SQL of the canonical id of a reference in `table`, also right before its move. */
export function canonicalIdSql(table: string, { rawColumn, column, to }: ReferenceColumns): string {
  // PostgreSQL evaluates the first condition once for all rows. It is usually false, and no row is then looked up.
  return `case when (select exists (select from child_move)) and exists (
      select from child_move v where v.org_id = ${table}.org_id and v.entity = '${to}' and v.from_id = ${table}.${column}
    ) then (
      select coalesce(n.merged_into_id, n.${to}_id) from ${to} n
      where n.org_id = ${table}.org_id and n.${to}_id = ${table}.${rawColumn}
    ) else ${table}.${column} end`
}

type ReferenceColumns = { rawColumn: string; column: string; to: (Reference | Links)['to'] }

/** Returns the ids whose references are still being moved. */
export async function pendingMoveSources(org: Org, kinds: readonly string[]): Promise<string[]> {
  if (kinds.length === 0) return []
  const rows = await org.readRows(sql<{ from_id: string }>`
    select distinct from_id from child_move where org_id = ${org.orgId} and entity = any(${kinds})`)
  return rows.map((row) => row.from_id)
}

/** @throws DomainError conflict while references to any of `recordIds` are being moved */
export async function requireNoPendingMove(
  tx: OrgTx,
  type: RecordType,
  recordIds: readonly string[],
): Promise<void> {
  const moving = await tx.first(sql`
    select from child_move
    where org_id = ${tx.orgId} and entity = ${type.entity}
      and (from_id = any(${recordIds}::uuid[]) or raw_ids && ${recordIds}::uuid[])`)
  if (!moving) return
  throw referencesMoving(
    `A job still moves records that refer to this ${type.entity} after a merge or an undo: try again in a few seconds`,
  )
}

/** The error for a change that must wait until a job has moved references. */
export const referencesMoving = (text: string): DomainError =>
  conflict('references_moving', text, { retryAfterSeconds: 5 })
