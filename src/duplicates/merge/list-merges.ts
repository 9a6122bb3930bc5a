import type { EntityType } from '../../matching/entity-type.ts'
import type { Caller } from '../../platform/caller.ts'
import type { Org } from '../../platform/db/org.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { joinSql, rawSql, type Sql, sql } from '../../platform/db/sql.ts'
import { firstIdAt } from '../../platform/db/uuid-time.ts'
import type { Cursors } from '../../platform/http/cursor.ts'
import type { Pagination } from '../../platform/http/endpoint.ts'
import { refuse } from '../../platform/http/fields.ts'
import { paginationOf, startOf } from '../../platform/http/list.ts'
import { detailAt, ValidationError } from '../../platform/http/validation.ts'
import { readAllSettings } from '../settings.ts'
import { findMerge, type MergeRow, readMerges } from './merges.ts'
import type { Merge, MergeQuery } from './schema.ts'
import { findSeenMerges, type ListSql } from './seen-merges.ts'
import { undoBlockOf } from './undo-block.ts'

const seconds = (time: Date) => Math.floor(time.getTime() / 1000)

/**
 * The merge includes the actions that `caller` can take now.
 * @throws DomainError not_found
 */
export async function readMerge(tx: OrgTx, caller: Caller, mergeId: string): Promise<Merge> {
  const toAnswer = await answerFor(tx, caller)
  return toAnswer(await findMerge(tx, mergeId))
}

/** The merges include the actions that `caller` can take now. */
export async function readMergesById(
  tx: OrgTx,
  caller: Caller,
  mergeIds: readonly string[],
): Promise<Merge[]> {
  const rows = await readMerges(tx, sql`m.merge_id = any(${mergeIds}::uuid[]) order by m.merge_id`)
  return rows.map(await answerFor(tx, caller))
}

async function answerFor(tx: OrgTx, caller: Caller): Promise<(row: MergeRow) => Merge> {
  const settings = await readAllSettings(tx)
  const now = new Date()
  return (row) => {
    const block = undoBlockOf(row, caller, settings[row.entity], now)
    return {
      merge_id: row.merge_id,
      merge_group_id: row.merge_group_id,
      entity_type: row.entity,
      status: row.status === 'applied' && row.applying ? 'applying' : row.status,
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
      // The records may belong to people whose records a limited member does not see.
      children_moved: caller.recordAccess ? null : row.children_moved,
    }
  }
}

const statusOrShadow = refuse('send include_shadow or status, not both')

/** @throws ValidationError if the query has both `status` and `include_shadow` */
function statusesOf({ status, include_shadow: includeShadow }: MergeQuery): string[] {
  if (status && includeShadow)
    throw new ValidationError([detailAt(['query', 'include_shadow'], statusOrShadow)])
  return status ? [status] : ['applied', 'undone', ...(includeShadow ? ['shadow'] : [])]
}

// The maximum difference between the server's clock, which gives a merge its id, and the database's clock, which gives
// `created_at`.
const clocksApartSeconds = 3600

/** Returns the conditions on columns of the index `merge_filtered`. */
function listedMerges(
  orgId: string,
  types: readonly EntityType[],
  statuses: readonly string[],
  { record_id: recordId, rule, min_score: minScore, created_since: since }: MergeQuery,
): Sql {
  const conditions = [sql`m.entity = any(${types}) and m.status = any(${statuses})`]
  if (rule !== undefined) conditions.push(sql`m.rule = ${rule}`)
  if (minScore !== undefined) conditions.push(sql`m.score >= ${minScore}`)
  if (since !== undefined) {
    const firstId = firstIdAt(Math.max(0, since - clocksApartSeconds))
    conditions.push(sql`m.merge_id >= ${firstId}::uuid and m.created_at >= to_timestamp(${since})`)
  }
  if (recordId !== undefined) {
    const idsWith = (column: string) =>
      sql`select merge_id from merge where org_id = ${orgId} and entity = any(${types}) and ${rawSql(column)} = ${recordId}`
    // PostgreSQL looks up an array of ids in the index. With `or`, it may read all merges, starting with the newest.
    conditions.push(
      sql`m.merge_id = any((select array(${idsWith('survivor_id')} union all ${idsWith('loser_id')}))::uuid[])`,
    )
  }
  return joinSql(conditions, ' and ')
}

/**
 * The order of a list, and the condition that starts a page after the sort key of a row. Without a score, a merge sorts as
 * −1: PostgreSQL has an index on this expression.
 */
function orderOf({ sort }: MergeQuery, after: string | null): { order: Sql; isAfter: Sql } {
  if (sort === '-created_at')
    return {
      order: sql`m.merge_id desc`,
      isAfter: after === null ? sql`` : sql`and m.merge_id < ${after}::uuid`,
    }
  const [score, id] = after?.split(' ') ?? []
  return {
    order: sql`coalesce(m.score, -1) desc, m.merge_id desc`,
    isAfter:
      id === undefined
        ? sql``
        : sql`and (coalesce(m.score, -1), m.merge_id) < (${Number(score)}::float8, ${id}::uuid)`,
  }
}

/** The sort key of a row. `orderOf` starts the next page after it. */
const placeOf = ({ sort }: MergeQuery, { merge_id: mergeId, score }: MergeRow): string =>
  sort === '-created_at' ? mergeId : `${score ?? -1} ${mergeId}`

/** Reads one page of merges. */
export function listMerges(
  org: Org,
  caller: Caller,
  cursors: Cursors,
  types: readonly EntityType[],
  query: MergeQuery,
): Promise<{ rows: Merge[]; pagination: Pagination }> {
  const { orgId } = org
  const { record_id, rule, min_score, created_since, sort } = query
  const statuses = statusesOf(query)
  const list = JSON.stringify(['merges', types, statuses, record_id, rule, min_score, created_since, sort])
  const start = startOf(cursors, orgId, list, query)
  const listed = listedMerges(orgId, types, statuses, query)
  return org.read(async (tx) => {
    const { order, isAfter } = orderOf(query, start.after)
    // Write the limit as a literal. With a parameter, PostgreSQL would plan for any limit, and sort all merges.
    const window = rawSql(`limit ${start.limit + 1} offset ${start.skip}`)
    const { found, total } = await findMerges(tx, types, query, { listed, isAfter, order, window })
    const shown = found.slice(0, start.limit)
    const last = shown.at(-1)
    const pagination = paginationOf(cursors, orgId, list, start, {
      last: last ? placeOf(query, last) : null,
      hasNext: found.length > start.limit,
      total,
    })
    return { rows: shown.map(await answerFor(tx, caller)), pagination }
  })
}

/** Reads the merges of a page and the number of all listed merges. */
async function findMerges(
  tx: OrgTx,
  types: readonly EntityType[],
  { record_id: recordId }: MergeQuery,
  parts: ListSql,
): Promise<{ found: MergeRow[]; total: number }> {
  const { listed, isAfter, order, window } = parts
  // A record has few merges, so row-level security checks these.
  if (tx.actor.recordAccess && recordId === undefined && types.length > 0) {
    const { mergeIds, total } = await findSeenMerges(tx, types, parts)
    const isFound = sql`m.merge_id = any(${mergeIds}::uuid[])`
    return { found: await readMerges(tx, sql`${isFound} order by ${order}`, { isRare: true }), total }
  }
  const [found, counted] = await Promise.all([
    readMerges(tx, sql`${listed} ${isAfter} order by ${order} ${window}`, { isRare: true }),
    tx.first(sql<{ total: number }>`
      select count(*) as total from merge m where m.org_id = ${tx.orgId} and ${listed}`),
  ])
  return { found, total: counted?.total ?? 0 }
}
