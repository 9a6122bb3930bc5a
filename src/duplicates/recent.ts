import type { Caller } from '../platform/caller.ts'
import type { Org } from '../platform/db/org.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { Cursors } from '../platform/http/cursor.ts'
import type { Pagination } from '../platform/http/endpoint.ts'
import { paginationOf, startOf } from '../platform/http/list.ts'
import type { EntityType } from './entities.ts'
import { type MergeRow, readMerges } from './merges.ts'
import { undoBlockOf } from './refusals.ts'
import type { Merge, MergeQuery } from './schema.ts'
import { readAllSettings } from './settings.ts'

const seconds = (time: Date | null) => (time === null ? null : Math.floor(time.getTime() / 1000))

/** The merges of these ids, in their order, as `caller` sees them. */
export async function shownMerges(tx: Tx, caller: Caller, mergeIds: readonly string[]): Promise<Merge[]> {
  const { orgId } = caller
  const rows = await readMerges(tx, orgId, {
    where: 'm.merge_id = any($2::uuid[]) order by m.merge_id',
    values: [orgId, mergeIds],
  })
  return showMerges(tx, caller, rows)
}

/** Merges as `caller` sees them: with what it could do about each right now. */
async function showMerges(tx: Tx, caller: Caller, rows: readonly MergeRow[]): Promise<Merge[]> {
  const settings = await readAllSettings(tx, caller.orgId)
  const now = new Date()
  return rows.map((row) => {
    const block = undoBlockOf(row, caller, settings[row.entity], now)
    return {
      merge_id: row.merge_id,
      merge_group_id: row.merge_group_id,
      entity_type: row.entity,
      status: row.status === 'applied' && row.applying ? 'applying' : (row.status as Merge['status']),
      is_shadow: row.status === 'shadow',
      survivor_id: row.survivor_id,
      loser_id: row.loser_id,
      survivor_name: row.survivor?.name ?? null,
      loser_name: row.loser?.name ?? null,
      rule: row.rule,
      score: row.score,
      evidence: row.evidence,
      method: row.method,
      model_version: row.model_version,
      would_apply: row.would_apply,
      created_at: seconds(row.created_at)!,
      merged_at: seconds(row.merged_at),
      merged_by: row.merged_by,
      undone_at: seconds(row.undone_at),
      undone_by: row.undone_by,
      can_undo: block === null,
      undo_blocked_reason: block,
      fields_filled: row.fields_filled,
      children_moved: row.children_moved,
    }
  })
}

/** One page of the merges of records of these types, newest first. */
export function listMerges(
  org: Org,
  caller: Caller,
  cursors: Cursors,
  types: readonly EntityType[],
  query: MergeQuery,
): Promise<{ rows: Merge[]; pagination: Pagination }> {
  const { orgId } = org
  const list = JSON.stringify(['merges', types, query.include_shadow])
  const start = startOf(cursors, orgId, list, query)
  const statuses = ['applied', 'undone', ...(query.include_shadow ? ['shadow'] : [])]
  const listed = `m.entity = any($2) and m.status = any($3)`
  return org.read(async (tx) => {
    const after = start.after === null ? '' : 'and m.merge_id < $4::uuid'
    const [found, counted] = await Promise.all([
      readMerges(tx, orgId, {
        where: `${listed} ${after} order by m.merge_id desc limit ${start.limit + 1} offset ${start.skip}`,
        values: [orgId, types, statuses, ...(start.after === null ? [] : [start.after])],
      }),
      tx.first<{ total: string }>({
        text: `select count(*)::text as total from merge m where m.org_id = $1 and ${listed}`,
        values: [orgId, types, statuses],
      }),
    ])
    const shown = found.slice(0, start.limit)
    const pagination = paginationOf(cursors, orgId, list, start, {
      last: shown.at(-1)?.merge_id ?? null,
      hasNext: found.length > start.limit,
      total: Number(counted!.total),
    })
    return { rows: await showMerges(tx, caller, shown), pagination }
  })
}
