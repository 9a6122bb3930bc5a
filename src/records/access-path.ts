import type { Org } from '../platform/db/org.ts'
import { joinSql, plannedOnce, rawSql, type Sql, sql } from '../platform/db/sql.ts'
import { Refusal } from '../platform/http/refusal.ts'
import { filterOfComparison } from './driving-key.ts'
import { manyIfEqual } from './filters/columns.ts'
import { type Comparison, comparisonsIn, conjunctsOf } from './filters/tree.ts'
import { namesOf } from './names.ts'
import type { ExpectedMatches, FilterContext, RecordType } from './record-type.ts'
import type { RecordSelector } from './selection.ts'
import { nameIn, orderOf } from './sort.ts'
import { storedTotalOf } from './stored-total.ts'

/**
 * How PostgreSQL reads a list and its total:
 * - `order`: from an index that has the order of the list. The total is stored
 * - `key`: from the keys of one value. The keys have the order of the list, and their number is the total
 * - `index`: an index finds records, perhaps many. PostgreSQL filters, sorts and counts all of them
 * - `all`: PostgreSQL reads all records of the organization
 */
export type AccessPath = 'order' | 'key' | 'index' | 'all'

/** Returns the access path of a list without `q`. */
export function accessPathOf(org: Org, type: RecordType, selector: RecordSelector, sort: string): AccessPath {
  const { filter, archived } = selector
  const conjuncts = filter ? conjunctsOf(filter.tree) : []
  const { key } = orderOf(type, sort)
  if (archived) return 'index'
  if (conjuncts.length === 0) return !key || key.indexedField !== undefined ? 'order' : 'all'
  if (isStoredList(org, type, selector, sort)) return 'order'
  const indexed = indexedOf(type, conjuncts)
  if (indexed.length === 0) return 'all'
  const [only] = indexed
  const isKey =
    conjuncts.length === 1 && only?.op === 'eq' && filterOfComparison(type, only).keyOf !== undefined
  return isKey && !key ? 'key' : 'index'
}

/** Returns whether an index has the order of the list, and its total is stored. */
const isStoredList = ({ orgId, actor }: Org, type: RecordType, selector: RecordSelector, sort: string) =>
  !actor.recordAccess && storedTotalOf(type, selector, orgId)?.sort === nameIn(sort)

/** Returns whether one plan is good for all values: an index has the records of the list in its order. */
export function hasOnePlan(
  type: RecordType,
  { filter, archived }: RecordSelector,
  sort: string,
  path: AccessPath,
): boolean {
  if (path === 'order' || path === 'key') return true
  const [only, ...others] = filter ? conjunctsOf(filter.tree) : []
  if (archived || orderOf(type, sort).key || !only || others.length > 0 || !('op' in only)) return false
  return only.op === 'eq' && filterOfComparison(type, only).matches === manyIfEqual
}

/**
 * Returns whether the ids of all records must be read before a page. Indexes list the records of one owner, for a
 * limited member, in the order of ids and of changes. No index lists the records of several owners, or records in
 * another order.
 */
export function readsAllIds(org: Org, type: RecordType, selector: RecordSelector, sort: string): boolean {
  const { filter, q, archived } = selector
  if (q !== undefined) return false
  const access = org.actor.recordAccess
  const { key } = orderOf(type, sort)
  const isIndexed = key?.indexedField !== undefined && !archived
  if (access === 'team' || (access && key && !isIndexed)) return true
  const conjuncts = filter ? conjunctsOf(filter.tree) : []
  const matches = conjuncts.map((each) => matchesOf(type, each))
  if (matches.includes('few')) return false
  if (matches.includes(null)) return true
  if (!key || isStoredList(org, type, selector, sort)) return false
  return !(isIndexed && conjuncts.every((each) => 'op' in each && each.field === key.indexedField))
}

/** The maximum number of records that any list may count if an index has their order. */
export const countedMax = 10_000
/** The maximum number of records that any list may sort. For n conditions, it is divided by n. */
const sortedMax = 1_000

/**
 * Returns whether counting, filtering and sorting are cheap, because an index finds few records.
 * @param planOnce see `hasOnePlan`
 */
export async function findsFew(
  org: Org,
  type: RecordType,
  { filter, archived }: RecordSelector,
  sort: string,
  context: FilterContext,
  planOnce: boolean,
): Promise<boolean> {
  const comparisons = filter ? comparisonsIn(filter.tree).length : 0
  const isOnlyCounted = comparisons + (archived ? 1 : 0) === 1 && !orderOf(type, sort).key
  const max = isOnlyCounted ? countedMax : Math.max(1, Math.floor(sortedMax / Math.max(1, comparisons)))
  const { table } = namesOf(type)
  const recordsThat = (condition: Sql) => sql`${table} r where r.org_id = ${org.orgId} and ${condition}`
  const sources = archived ? [recordsThat(sql`r.status = 'archived'`)] : []
  for (const each of filter ? indexedOf(type, conjunctsOf(filter.tree)) : []) {
    const { found, matches, where } = filterOfComparison(type, each)
    const isMany = matches?.(each.op) === 'many'
    // The index has only active records.
    if (isMany && archived) continue
    if (!isMany && !found) return true
    const source = (isMany ? where : found!)(each.op, each.value, context)
    if (source instanceof Refusal) return true
    sources.push(isMany ? recordsThat(sql`r.status = 'active' and ${source}`) : source)
  }
  const limit = rawSql(`limit ${max + 1}`)
  const counts = sources.map(
    (source) => sql`(select count(*) from (select from ${source} ${limit}) as found)`,
  )
  const statement = sql<{ fewest: number }>`select least(${joinSql(counts)})::int as fewest`
  const [row] = await org.readRows(planOnce ? plannedOnce(statement) : statement)
  return row !== undefined && row.fewest <= max
}

const indexedOf = (type: RecordType, conjuncts: ReturnType<typeof conjunctsOf>): Comparison[] =>
  conjuncts.filter((each): each is Comparison => matchesOf(type, each) !== null)

function matchesOf(type: RecordType, each: ReturnType<typeof conjunctsOf>[number]): ExpectedMatches {
  return 'op' in each ? (filterOfComparison(type, each).matches?.(each.op) ?? null) : null
}
