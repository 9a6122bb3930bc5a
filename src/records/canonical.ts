import { anyUuid } from '../platform/db/any-uuid.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { rawSql, type Sql, sql } from '../platform/db/sql.ts'
import type { RecordType } from './record-type.ts'

/**
 * SQL of the canonical id of the row `alias`. It does not use `coalesce`: row-level security would keep the planner
 * from using the index, because `coalesce` is not leakproof.
 */
export const rowCanonicalIdSql = (alias: string, id: string): Sql =>
  rawSql(`case when ${alias}.merged_into_id is null then ${alias}.${id} else ${alias}.merged_into_id end`)

/** Reads the canonical id of each record. Erased records are left out. */
export async function readCanonicalIds(
  tx: OrgTx,
  entity: RecordType['entity'],
  recordIds: readonly string[],
): Promise<Map<string, string>> {
  const id = rawSql(`${entity}_id`)
  const canonicalId = rowCanonicalIdSql('n', `${entity}_id`)
  const rows = await tx.rows(sql<{ record_id: string; root_id: string }>`
    select n.${id} as record_id, ${canonicalId} as root_id from ${rawSql(entity)} n
    where n.org_id = ${tx.orgId} and n.${id} = ${anyUuid(recordIds)} and n.status <> 'erased'`)
  return new Map(rows.map((row) => [row.record_id, row.root_id]))
}
