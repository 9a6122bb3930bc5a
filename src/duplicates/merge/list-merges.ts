import type { EntityType } from '../../matching/entity-type.ts'
import type { Caller } from '../../platform/caller.ts'
import type { Org } from '../../platform/db/org.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import type { Cursors } from '../../platform/http/cursor.ts'
import type { Pagination } from '../../platform/http/endpoint.ts'
import { paginationOf, startOf } from '../../platform/http/list.ts'
import { readAllSettings } from '../settings.ts'
import { findMerge, type MergeRow, readMerges } from './merges.ts'
import type { Merge, MergeQuery } from './schema.ts'
import { undoBlockOf } from './undo-block.ts'

const seconds = (time: Date) => Math.floor(time.getTime() / 1000)

/** A merge by its id, with what `caller` can do about it right now. @throws DomainError not_found */
export async function readMerge(tx: OrgTx, caller: Caller, mergeId: string): Promise<Merge> {
  const toAnswer = await answerFor(tx, caller)
  return toAnswer(await findMerge(tx, caller.orgId, mergeId))
}

/** Merges by id, with what `caller` can do about each right now. */
export async function readMergesById(
  tx: OrgTx,
  caller: Caller,
  mergeIds: readonly string[],
): Promise<Merge[]> {
  const { orgId } = caller
  const rows = await readMerges(tx, orgId, {
    where: 'm.merge_id = any($2::uuid[]) order by m.merge_id',
    values: [orgId, mergeIds],
  })
  return rows.map(await answerFor(tx, caller))
}

/** Turns a stored merge into its answer, with what `caller` can do about it right now. */
async function answerFor(tx: OrgTx, caller: Caller): Promise<(row: MergeRow) => Merge> {
  const settings = await readAllSettings(tx, caller.orgId)
  const now = new Date()
  return (row) => {
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
      created_at: seconds(row.created_at),
      merged_at: row.merged_at && seconds(row.merged_at),
      merged_by: row.merged_by,
      undone_at: row.undone_at && seconds(row.undone_at),
      undone_by: row.undone_by,
      can_undo: block === null,
      undo_blocked_reason: block,
      fields_filled: row.fields_filled,
      children_moved: row.children_moved,
    }
  }
}

/** One page of the merges of these record types, newest first. */
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
      total: Number(counted?.total ?? 0),
    })
    return { rows: shown.map(await answerFor(tx, caller)), pagination }
  })
}
