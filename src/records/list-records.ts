import type { Org } from '../platform/db/org.ts'
import { seenTotal } from '../platform/db/record-totals.ts'
import { rawSql, type Sql, sql } from '../platform/db/sql.ts'
import { takeTurn } from '../platform/db/turns.ts'
import type { Cursors } from '../platform/http/cursor.ts'
import type { Pagination } from '../platform/http/endpoint.ts'
import { isDeepPage, type ListQuery } from '../platform/http/list.ts'
import type { Json } from '../platform/json.ts'
import { Filter, readPage } from '../platform/page.ts'
import { accessPathOf, countedMax, findsFew, hasOnePlan, readsAllIds } from './access-path.ts'
import { withDefinedFilters } from './defined-fields/defined-filters.ts'
import { filterOfComparison } from './driving-key.ts'
import { limitExpensiveLists, refuseTooSlow } from './expensive.ts'
import { conjunctsOf } from './filters/tree.ts'
import type { RecordType, Sort } from './record-type.ts'
import { limitSearches } from './search.ts'
import { withSegment } from './segments/with-segment.ts'
import { type RecordSelector, type Selection, selectionOf } from './selection.ts'
import { jsonColumnsOf } from './shown-fields.ts'
import { defaultSort, orderOf } from './sort.ts'
import { storedTotalOf } from './stored-total.ts'

export type RecordQuery = ListQuery &
  RecordSelector & { sort?: string | undefined; fields?: readonly string[] | undefined }

export type RecordPage = { rows: Json; pagination: Pagination }

/**
 * Reads one page. Each owner has at most one running search and two running expensive lists.
 * @param owner `payerId` of the caller, whose limits the request uses
 * @throws ValidationError at a filter that cannot be read; DomainError not_found for `segment_id`; too_many; invalid if it takes
 *   too long
 */
export async function listWithLimits(
  owner: string,
  org: Org,
  cursors: Cursors,
  plainType: RecordType,
  asked: RecordQuery,
  at: 'query' | 'body' = 'query',
): Promise<RecordPage> {
  const query = await withSegment(org, plainType, asked, [at, 'segment_id'])
  if (query.q !== undefined)
    return limitSearches(owner, () => refuseTooSlow(() => listRecords(org, cursors, plainType, query, at)))
  const type = await withDefinedFilters(org, plainType, query)
  const { sort = defaultSort } = query
  const path = accessPathOf(org, type, query, sort)
  const selection = await selectionOf(org, type, query, path === 'order' ? 'ordered page' : 'page')
  const planOnce = !org.actor.recordAccess && hasOnePlan(type, query, sort, path)
  const read = (countMax?: number) =>
    readSelection(org, cursors, type, query, selection, { at, planOnce, countMax })
  if (path === 'order')
    return isDeepPage(query) || readsAllIds(org, type, query, sort) ? takeTurn(owner, () => read()) : read()
  if (path === 'index' && (await findsFew(org, type, query, sort, selection.context, planOnce))) return read()
  if (path === 'key') {
    const page = await read(countedMax + 1)
    if (page.pagination.total <= countedMax) return page
  }
  return limitExpensiveLists(owner, () => read())
}

/** @throws ValidationError at a filter that cannot be read */
export async function listRecords(
  org: Org,
  cursors: Cursors,
  plainType: RecordType,
  query: RecordQuery,
  at: 'query' | 'body' = 'query',
): Promise<RecordPage> {
  const type = await withDefinedFilters(org, plainType, query)
  return readSelection(org, cursors, type, query, await selectionOf(org, type, query, 'page'), { at })
}

type Reading = {
  at: 'query' | 'body'
  /** As `planOnce` of `PageSource`. */
  planOnce?: boolean
  /** The maximum number of keys to count for the total; by default all. */
  countMax?: number | undefined
}

async function readSelection(
  org: Org,
  cursors: Cursors,
  type: RecordType,
  query: RecordQuery,
  selected: Selection,
  { at, planOnce = false, countMax }: Reading,
): Promise<RecordPage> {
  const { filter, q, archived = false, sort = defaultSort, fields } = query
  const { driving: _, context: __, ...selection } = selected
  const total = totalOf(org, type, query, selected, countMax)
  const wire = fields ? { wire: jsonColumnsOf(type, fields), hasId: false } : { wire: type.wire }
  const list = JSON.stringify([type.entity, archived, filter?.tree, q, sort])
  const order = {
    order: orderOf(type, sort),
    readsAll: readsAllIds(org, type, query, sort),
  }
  const isWhole = q === undefined && !archived && (!filter || conjunctsOf(filter.tree).length === 0)
  const seen = isWhole && org.actor.recordAccess && wholeListOfOwners(org, type, order.order.key)
  const keys = isWhole && !org.actor.recordAccess ? order.order.key?.index : undefined
  const source = {
    ...{ ...selection, ...wire, ...order, ...seen, list, planOnce },
    ...{ ...(total && { total }), ...(keys && { keys }) },
  }
  return readPage(org, cursors, source, query, at)
}

/** The list of all active records of the owners that a limited member sees. */
function wholeListOfOwners(org: Org, { entity }: RecordType, key: Sort['key']) {
  const filter = new Filter(org.orgId, 'r').and(sql`r.status = 'active'`)
  const isIndexed = key === undefined || key.indexedField !== undefined
  const isMerged = isIndexed && org.actor.recordAccess === 'team'
  return {
    seenTotal: seenTotal(org, entity),
    ...(isMerged && { ofOwners: { filter, owner: sql`r.owner_id` } }),
  }
}

/** SQL of the exact number of records, if it is stored or one index has it; undefined: the records must be counted. */
function totalOf(
  { orgId }: Org,
  type: RecordType,
  query: RecordQuery,
  { driving, context }: Selection,
  countMax?: number,
): Sql | undefined {
  const stored = storedTotalOf(type, query, orgId)
  if (stored) return stored.total
  const { filter, q, archived = false } = query
  const conjuncts = filter ? conjunctsOf(filter.tree) : []
  const conditions = conjuncts.length + (q === undefined ? 0 : 1)
  if (conditions !== 1) return undefined
  if (driving) {
    const limit = rawSql(countMax === undefined ? '' : `limit ${countMax}`)
    return sql`select count(*) from (
      select from ${driving.table} k where k.org_id = ${orgId} and ${driving.condition} ${limit}) as k`
  }
  const [only] = conjuncts
  if (archived || !only || !('op' in only)) return undefined
  return filterOfComparison(type, only).countOf?.(only.op, only.value, context)
}
