import type { Actor } from '../events/record.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import type { RecordType } from '../records/record-type.ts'
import { type Move, moveReferrers } from '../records/referrers.ts'
import { moveChildren } from './jobs.ts'
import { insertMove } from './moves.ts'

/** More children than these would hold up whoever merges: a job moves them. */
const childrenMax = 10_000

/**
 * Has the records that name what a merge, or its undoing, gives another root moved there: at once, or by a job where
 * there are many. Until then readers look behind what is stored (records/moving.ts).
 * @returns how many there are
 */
export async function giveChildren(
  tx: Tx,
  actor: Actor,
  type: RecordType,
  move: Move,
  mergeId: string,
  jobs: Jobs,
): Promise<number> {
  const { orgId, apiKeyId, mode } = actor
  const children = await countChildren(tx, orgId, type, move.from, move.rawIds)
  if (children <= childrenMax) return moveReferrers(tx, actor, type, move)
  await insertMove(tx, orgId, type, mergeId, move)
  await jobs.enqueue(tx, moveChildren, {
    org_id: orgId,
    merge_id: mergeId,
    entity_type: type.entity,
    api_key_id: apiKeyId,
    mode,
  })
  return children
}

/** How many records, but those that were merged into others, have a record; of those that name it or any of `rawIds`. */
export async function countChildren(
  tx: Tx,
  orgId: string,
  type: RecordType,
  recordId: string,
  rawIds: readonly string[] | null = null,
): Promise<number> {
  const counts = await Promise.all(
    type.referrers.map(({ entity, rawColumn, column, table }) => {
      const named = (alias: string) =>
        `${alias}.org_id = $1 and ${alias}.${column} = $2 and ($3::uuid[] is null or ${alias}.${rawColumn} = any($3::uuid[]))`
      return tx.first<{ children: number }>({
        text: table
          ? `
            select count(distinct l.${entity}_id)::int as children from ${table} l
            join ${entity} r on r.org_id = l.org_id and r.${entity}_id = l.${entity}_id and r.status <> 'merged'
            where ${named('l')}`
          : `select count(*)::int as children from ${entity} r where ${named('r')} and r.status <> 'merged'`,
        values: [orgId, recordId, rawIds],
      })
    }),
  )
  return counts.reduce((sum, row) => sum + (row?.children ?? 0), 0)
}
