import { isDeepStrictEqual } from 'node:util'
import type { OrgTx } from '../platform/db/org-tx.ts'
import type { KeyChange } from './key-change.ts'
import type { Links, RecordType, StoredColumns } from './record-type.ts'

type Loaded = { recordId: string; state: StoredColumns }

/**
 * Reads the links of records into their columns. For locked records, call it after locking, so that no change is
 * missed.
 */
export async function loadLinks(tx: OrgTx, type: RecordType, records: readonly Loaded[]): Promise<void> {
  for (const { table, to, rawColumn, column } of type.links) {
    const inOrder = 'order by l.position, l.raw_id'
    const rows = await tx.rows<{ record_id: string; raw_ids: string[]; ids: string[] }>({
      text: `
        select l.record_id, array_agg(l.raw_id ${inOrder}) as raw_ids, array_agg(l.id ${inOrder}) as ids
        from (
          select ${type.idField} as record_id, ${to}_raw_id as raw_id, ${to}_id as id, position
          from ${table} where org_id = $1 and ${type.idField} = any($2::uuid[])
        ) as l group by l.record_id`,
      values: [tx.orgId, records.map(({ recordId }) => recordId)],
    })
    const found = new Map(rows.map((row) => [row.record_id, row]))
    for (const { recordId, state } of records) {
      state[rawColumn] = found.get(recordId)?.raw_ids ?? []
      state[column] = found.get(recordId)?.ids ?? []
    }
  }
}

/** Updates the links of changed records. Rows that stay are not written. */
export async function writeLinks(tx: OrgTx, type: RecordType, changes: readonly KeyChange[]): Promise<void> {
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
  changed: readonly KeyChange[],
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
  const rewritten = changed.filter(({ before }) => before !== null).map(({ recordId }) => recordId)
  const named = [rows.map(({ recordId }) => recordId), rows.map(({ rawId }) => rawId)]
  await Promise.all([
    rewritten.length > 0 &&
      tx.run({
        text: `
          delete from ${table} t
          where t.org_id = $1 and t.${type.idField} = any($2::uuid[]) and not exists (
            select from unnest($3::uuid[], $4::uuid[]) as k (record_id, raw_id)
            where k.record_id = t.${type.idField} and k.raw_id = t.${to}_raw_id)`,
        values: [tx.orgId, rewritten, ...named],
      }),
    rows.length > 0 &&
      tx.run({
        text: `
          insert into ${table} (org_id, ${type.idField}, ${to}_raw_id, ${to}_id, position)
          select $1, k.record_id, k.raw_id, k.id, k.position
          from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::integer[]) as k (record_id, raw_id, id, position)
          on conflict (org_id, ${type.idField}, ${to}_raw_id) do update
          set position = excluded.position, ${to}_id = excluded.${to}_id`,
        values: [tx.orgId, ...named, rows.map(({ id }) => id), rows.map(({ position }) => position)],
      }),
  ])
}

/** Removes the links of a record and of those that it absorbed. */
export async function clearLinks(tx: OrgTx, type: RecordType, recordId: string): Promise<void> {
  const id = type.idField
  for (const { table } of type.links) {
    await tx.run({
      text: `
        delete from ${table} where org_id = $1 and ${id} in (
          select ${id} from ${type.entity} where org_id = $1 and (${id} = $2 or merged_into_id = $2))`,
      values: [tx.orgId, recordId],
    })
  }
}
