import type { Org } from '../platform/db/org.ts'
import { rawSql, type Sql, sql } from '../platform/db/sql.ts'
import { refuse } from '../platform/http/fields.ts'
import { Refusal } from '../platform/http/refusal.ts'
import { type Detail, detailAt, ValidationError } from '../platform/http/validation.ts'
import { Filter } from '../platform/page.ts'
import { filterOfComparison, findDrivingCondition, hasFewRecords, recordsOfKeys } from './driving-key.ts'
import { conditionOf } from './filters/compile.ts'
import { type Comparison, comparisonsIn, conjunctsOf, type SentFilter } from './filters/tree.ts'
import { defaultCountry } from './find.ts'
import { pendingMoveSources } from './pending-moves.ts'
import type { FilterContext, FilterField, OrgDefaults, RecordType, StoredKeys } from './record-type.ts'
import { searchQuery } from './search.ts'

export type RecordSelector = {
  /** `withSegment` replaces it by the filter of the segment. */
  segment_id?: string | undefined
  filter?: SentFilter | undefined
  q?: string | undefined
  /** Whether archived records are selected. By default, active ones are. */
  archived?: boolean | undefined
}

/** The parts of a statement. `driving` are the keys whose index gives the order. */
export type Selection = {
  with: Sql
  from: Sql
  id: Sql
  filter: Filter
  driving: StoredKeys | undefined
  context: FilterContext
}

/**
 * What a statement reads:
 * - `all`: all records. It reads pending moves itself, so that no merge happens in between
 * - `page`: one page. Pending moves are read first, so that an index gives the order
 * - `ordered page`: the same, and an index has the order of the page, so that PostgreSQL reads only its records
 */
type Extent = 'all' | 'page' | 'ordered page'

const notIndexed = refuse('this filter cannot find archived records; find them with q')

/**
 * Builds the selection of a request. One key drives the statement (driving-key.ts): its index has the order of lists.
 * @throws ValidationError at a filter that cannot be read
 */
export async function selectionOf(
  org: Org,
  type: RecordType,
  { filter: sent, q, archived = false }: RecordSelector,
  extent: Extent,
): Promise<Selection> {
  const { orgId } = org
  const id = rawSql(type.idField)
  const filter = new Filter(orgId, 'r').and(archived ? sql`r.status = 'archived'` : sql`r.status = 'active'`)
  // Row-level security decides (migration 0072). This condition only lets PostgreSQL use the index of owners.
  if (org.actor.recordAccess && q === undefined) filter.and(isSeen(org))
  const problems: Detail[] = []
  const refuseAt = (comparison: Comparison, why: Refusal) => {
    problems.push(detailAt(sent?.places.get(comparison) ?? ['query', comparison.field], why))
  }
  const compared = sent
    ? comparisonsIn(sent.tree).map((each) => [each, filterOfComparison(type, each)] as const)
    : []
  for (const [each, { keyOf }] of archived ? compared : []) if (keyOf) refuseAt(each, notIndexed)
  if (problems.length > 0) throw new ValidationError(problems)
  const names = compared.flatMap(([, { names }]) => names ?? [])
  const conjuncts = sent ? conjunctsOf(sent.tree) : []
  const { driver, isFound } = findDrivingCondition(type, conjuncts, q !== undefined)
  const orgDefaults = await orgDefaultsFor(org, compared)
  const driving = driver && keyOf(type, driver, orgDefaults)
  if (driver && driving instanceof Refusal) refuseAt(driver, driving)
  const isLookup =
    driver !== undefined &&
    driving !== undefined &&
    !(driving instanceof Refusal) &&
    (extent !== 'page' || filterOfComparison(type, driver).isMatched || (await hasFewRecords(org, driving)))
  const moving = extent === 'all' ? null : await pendingMoveSources(org, [...new Set(names)])
  const context = { orgId, orgDefaults, moving, isFound: isFound || isLookup }
  const others = conjuncts.filter((each) => each !== driver)
  for (const each of others)
    filter.and(sql`(${conditionOf(each, { filters: type.filters, context, refuse: refuseAt })})`)
  if (problems.length > 0 || driving instanceof Refusal) throw new ValidationError(problems)
  const from = driving ? recordsOfKeys(type, driving, isLookup) : sql`${rawSql(type.entity)} r`
  if (driving) filter.and(sql`k.org_id = ${orgId} and ${driving.condition}`)
  let before = sql``
  if (q !== undefined) {
    const words = searchQuery(orgId, q)
    if (words === null) filter.and(sql`false`)
    else {
      // Search only once, even if the statement uses the result several times.
      const owners = org.actor.recordAccess ? sql`, (select app.seen_owners())` : sql``
      before = sql`with found (ids) as materialized (select array(select ${rawSql(type.search)}(${words}${owners})))`
      // PostgreSQL looks up an array of ids in the index. With `in`, the planner scans from the newest record: 44 ms
      // instead of 10 ms in 100,000 contacts.
      filter.and(sql`r.${id} = any((select ids from found)::uuid[])`)
    }
  }
  return { with: before, from, id: driving?.recordId ?? sql`r.${id}`, filter, driving, context }
}

const isSeen = ({ actor: { recordAccess, memberId } }: Org): Sql =>
  recordAccess === 'own'
    ? sql`r.owner_id = ${memberId}`
    : sql`r.owner_id = any((select app.seen_owners())::uuid[])`

function keyOf(type: RecordType, comparison: Comparison, orgDefaults: OrgDefaults) {
  const { keyOf } = filterOfComparison(type, comparison)
  return keyOf?.(comparison.value as string, orgDefaults)
}

async function orgDefaultsFor(
  org: Org,
  compared: readonly (readonly [Comparison, FilterField])[],
): Promise<OrgDefaults> {
  const needsCountry = compared.some(([{ value }, filter]) =>
    [value].flat().some((each) => filter.needsCountry?.(String(each))),
  )
  return { defaultCountry: needsCountry ? await org.read(defaultCountry) : null }
}
