import { isDeepStrictEqual } from 'node:util'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { rawSql, sql } from '../platform/db/sql.ts'
import type { MatchKeyChange } from './key-change.ts'
import { namesOf } from './names.ts'
import type { Links, RecordType, StoredColumns } from './record-type.ts'

type Loaded = { recordId: string; state: StoredColumns }

/** Reads the links of records into their columns. Lock the records before the call, so that no change is missed. */
export async function loadLinks(tx: OrgTx, type: RecordType, records: readonly Loaded[]): Promise<void> {
  for (const { table, to, rawColumn, column } of type.links) {
    const { links, recordColumn, rawId, id } = linkNames(type, { table, to })
    const recordIds = records.map(({ recordId }) => recordId)
    const rows = await tx.rows(sql<{ record_id: string; raw_ids: string[]; ids: string[] }>`
      select l.record_id, array_agg(l.raw_id order by l.position, l.raw_id) as raw_ids,
        array_agg(l.id order by l.position, l.raw_id) as ids
      from (
        select ${recordColumn} as record_id, ${rawId} as raw_id, ${id} as id, position
        from ${links} where org_id = ${tx.orgId} and ${recordColumn} = any(${recordIds}::uuid[])
      ) as l group by l.record_id`)
    const found = new Map(rows.map((row) => [row.record_id, row]))
    for (const { recordId, state } of records) {
      state[rawColumn] = found.get(recordId)?.raw_ids ?? []
      state[column] = found.get(recordId)?.ids ?? []
    }
  }
}

/** Unchanged rows are not written. */
export async function writeLinks(
  tx: OrgTx,
  type: RecordType,
  changes: readonly MatchKeyChange[],
): Promise<void> {
  for (const link of type.links) {
    const changed = changes.filter(
      ({ before, after }) =>
        !isDeepStrictEqual(before?.[link.rawColumn] ?? [], after?.[link.rawColumn] ?? []) ||
        !isDeepStrictEqual(before?.[link.column] ?? [], after?.[link.column] ?? []),
    )
    if (changed.length > 0) await writeRows(tx, type, link, changed)
  }
}

async function writeRows(
  tx: OrgTx,
  type: RecordType,
  { table, to, rawColumn, column }: Links,
  changed: readonly MatchKeyChange[],
): Promise<void> {
  const rows = changed.flatMap(({ recordId, after }) => {
    const ids = (after?.[column] ?? []) as string[]
    return ((after?.[rawColumn] ?? []) as string[]).map((rawId, position) => ({
      recordId,
      rawId,
      id: ids[position],
      position,
    }))
  })
  const { links, recordColumn, rawId, id } = linkNames(type, { table, to })
  const rewritten = changed.filter(({ before }) => before !== null).map((change) => change.recordId)
  const recordIds = rows.map((row) => row.recordId)
  const rawIds = rows.map((row) => row.rawId)
  const ids = rows.map((row) => row.id)
  const positions = rows.map((row) => row.position)
  await Promise.all([
    rewritten.length > 0 &&
      tx.run(sql`
        delete from ${links} t
        where t.org_id = ${tx.orgId} and t.${recordColumn} = any(${rewritten}::uuid[]) and not exists (
          select from unnest(${recordIds}::uuid[], ${rawIds}::uuid[]) as k (record_id, raw_id)
          where k.record_id = t.${recordColumn} and k.raw_id = t.${rawId})`),
    rows.length > 0 &&
      tx.run(sql`
        insert into ${links} (org_id, ${recordColumn}, ${rawId}, ${id}, position)
        select ${tx.orgId}, k.record_id, k.raw_id, k.id, k.position
        from unnest(${recordIds}::uuid[], ${rawIds}::uuid[], ${ids}::uuid[], ${positions}::integer[])
          as k (record_id, raw_id, id, position)
        on conflict (org_id, ${recordColumn}, ${rawId}) do update
        set position = excluded.position, ${id} = excluded.${id}`),
  ])
}

/** Removes the links of a record and of its absorbed records. */
export async function clearLinks(tx: OrgTx, type: RecordType, recordId: string): Promise<void> {
  const { table, id } = namesOf(type)
  for (const link of type.links) {
    await tx.run(sql`
      delete from ${rawSql(link.table)} where org_id = ${tx.orgId} and ${id} in (
        select ${id} from ${table}
        where org_id = ${tx.orgId} and (${id} = ${recordId} or merged_into_id = ${recordId}))`)
  }
}

const linkNames = (type: RecordType, { table, to }: Pick<Links, 'table' | 'to'>) => ({
  links: rawSql(table),
  recordColumn: rawSql(type.idField),
  rawId: rawSql(`${to}_raw_id`),
  id: rawSql(`${to}_id`),
})
