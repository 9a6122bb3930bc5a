import { anyOf } from '../platform/db/any-of.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { RecordType } from './record-type.ts'

/**
 * SQL of the id of the record that stands for the row `alias` of `to`: itself, or the one that absorbed it. Not coalesce, of
 * which PostgreSQL does not know that it tells nothing of other orgs' rows: under row-level security no index would be used to
 * join by it, and each look-up would read all of the org's records.
 */
export const rootId = (alias: string, id: string): string =>
  `case when ${alias}.merged_into_id is null then ${alias}.${id} else ${alias}.merged_into_id end`

/** By id that was named, the id of the record that stands for it now; those that were erased are left out. */
export async function readRoots(
  tx: Tx,
  orgId: string,
  entity: RecordType['entity'],
  recordIds: readonly string[],
): Promise<Map<string, string>> {
  const id = `${entity}_id`
  const rows = await tx.rows<{ record_id: string; root_id: string }>({
    text: `
      select n.${id} as record_id, ${rootId('n', id)} as root_id from ${entity} n
      where n.org_id = $1 and n.${id} = ${anyOf('$2')} and n.status <> 'erased'`,
    values: [orgId, recordIds],
  })
  return new Map(rows.map((row) => [row.record_id, row.root_id]))
}
