import type { OrgTx } from '../../platform/db/org-tx.ts'
import { sql } from '../../platform/db/sql.ts'
import { namesOf } from '../names.ts'
import type { RecordType, StoredColumns } from '../record-type.ts'
import type { Cluster } from './cluster.ts'

/** The absorbed records of a canonical record, as its columns store them. null: it has none. */
export type Absorbed = {
  /** A PostgreSQL array of record ids, the oldest first. */
  ids: string | null
  /**
   * JSON by system: external ids of absorbed records that are not shown, because the record shows another id of that
   * system.
   */
  externalIds: string | null
}

/** @param state the shown columns, with aliases */
export function absorbedOf({ rootId, members }: Cluster, state: StoredColumns): Absorbed {
  // Ids are UUIDv7: the order of ids is the order of creation.
  const ids = [...members.keys()].filter((id) => id !== rootId).sort()
  return {
    ids: ids.length > 0 ? `{${ids.join(',')}}` : null,
    externalIds: externalIdsOf(state),
  }
}

function externalIdsOf({ aliases }: StoredColumns): string | null {
  const pairs = (aliases ?? []) as readonly [string, string][]
  const bySystem = Map.groupBy(pairs, ([system]) => system)
  const entries = [...bySystem].map(([system, own]) => [system, own.map(([, id]) => id)])
  return entries.length > 0 ? JSON.stringify(Object.fromEntries(entries)) : null
}

/** Stores the hidden external ids of locked records after a write. */
export async function saveMergedExternalIds(
  tx: OrgTx,
  type: RecordType,
  records: readonly { recordId: string; state: StoredColumns }[],
): Promise<void> {
  if (records.length === 0) return
  const { table, id } = namesOf(type)
  const recordIds = records.map(({ recordId }) => recordId)
  const texts = records.map(({ state }) => externalIdsOf(state))
  await tx.run(sql`
    update ${table} t set merged_external_ids = e.ids::json
    from unnest(${recordIds}::uuid[], ${texts}::text[]) as e (record_id, ids)
    where t.org_id = ${tx.orgId} and t.${id} = e.record_id`)
}

/** Reads the absorbed records of a canonical record. */
export async function readAbsorbed(tx: OrgTx, type: RecordType, recordId: string): Promise<Absorbed> {
  const { table, id } = namesOf(type)
  const row = await tx.first(sql<Absorbed>`
    select merged_ids::text as ids, merged_external_ids::text as "externalIds" from ${table}
    where org_id = ${tx.orgId} and ${id} = ${recordId}`)
  return row ?? { ids: null, externalIds: null }
}
