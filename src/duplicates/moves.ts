import type { Tx } from '../platform/db/tx.ts'
import type { RecordType } from '../records/record-type.ts'
import { holdRoots } from '../records/references.ts'
import type { Move } from '../records/referrers.ts'

/** Leaves it to a job to move the records that name any of `rawIds` away from what stood for these. */
export async function insertMove(
  tx: Tx,
  orgId: string,
  type: RecordType,
  mergeId: string,
  { from, rawIds }: Pick<Move, 'from' | 'rawIds'>,
): Promise<void> {
  await tx.run({
    text: `
      insert into child_move (org_id, entity, from_id, merge_id, raw_ids) values ($1, $2, $3, $4, $5)
      on conflict (org_id, merge_id) do update set from_id = excluded.from_id, raw_ids = excluded.raw_ids`,
    values: [orgId, type.entity, from, mergeId, rawIds],
  })
}

/**
 * What is to be moved for a merge, to what stands for it now, whatever was merged or undone since; that stays so until
 * the transaction ends.
 */
export async function holdMoves(tx: Tx, orgId: string, type: RecordType, mergeId: string): Promise<Move[]> {
  const row = await tx.first<{ from_id: string; raw_ids: string[] }>({
    text: 'select from_id, raw_ids from child_move where org_id = $1 and merge_id = $2',
    values: [orgId, mergeId],
  })
  if (!row) return []
  const roots = await holdRoots(tx, orgId, type.entity as 'contact' | 'company', row.raw_ids)
  return [...Map.groupBy(roots, ([, to]) => to)]
    .filter(([to]) => to !== row.from_id)
    .map(([to, named]) => ({ rawIds: named.map(([rawId]) => rawId), from: row.from_id, to }))
}

/** What is to be moved for a merge, or for its undoing, as a version: each time it is undone or brought back it is another. */
export async function findMove(tx: Tx, orgId: string, mergeId: string): Promise<string | null> {
  const row = await tx.first<{ version: string }>({
    text: 'select xmin::text as version from child_move where org_id = $1 and merge_id = $2',
    values: [orgId, mergeId],
  })
  return row?.version ?? null
}

/** All of it is moved; no effect if something else is to be moved by now. */
export async function endMove(tx: Tx, orgId: string, mergeId: string, version: string): Promise<void> {
  await tx.run({
    text: 'delete from child_move where org_id = $1 and merge_id = $2 and xmin::text = $3',
    values: [orgId, mergeId, version],
  })
}
