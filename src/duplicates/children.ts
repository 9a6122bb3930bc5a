import type { Actor } from '../events/record.ts'
import type { Tx } from '../platform/db/tx.ts'
import { type Move, moveReferrers } from '../records/move-referrers.ts'
import type { RecordType } from '../records/record-type.ts'

/**
 * Moves the records that name what a merge, or its undoing, gives another root; how many.
 * @param mergeId the merge that counts them; null: none does
 */
export async function moveChildren(
  tx: Tx,
  actor: Actor,
  type: RecordType,
  move: Move,
  mergeId: string | null,
): Promise<number> {
  const moved = await moveReferrers(tx, actor, type, move)
  if (moved > 0 && mergeId !== null) {
    await tx.run({
      text: 'update merge set children_moved = $3 where org_id = $1 and merge_id = $2',
      values: [actor.orgId, mergeId, moved],
    })
  }
  return moved
}

/** How many active or archived records name a record. */
export async function countChildren(
  tx: Tx,
  orgId: string,
  type: RecordType,
  recordId: string,
): Promise<number> {
  const counts = await Promise.all(
    type.referrers.map(({ entity, column, table }) =>
      tx.first<{ children: number }>({
        text: table
          ? `
            select count(distinct l.${entity}_id)::int as children from ${table} l
            join ${entity} r on r.org_id = l.org_id and r.${entity}_id = l.${entity}_id and r.status <> 'merged'
            where l.org_id = $1 and l.${column} = $2`
          : `select count(*)::int as children from ${entity} r where r.org_id = $1 and r.${column} = $2 and r.status <> 'merged'`,
        values: [orgId, recordId],
      }),
    ),
  )
  return counts.reduce((sum, row) => sum + (row?.children ?? 0), 0)
}
