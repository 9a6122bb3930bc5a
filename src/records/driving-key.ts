import type { Org } from '../platform/db/org.ts'
import { rawSql, type Sql, sql } from '../platform/db/sql.ts'
import { filterNamed } from './filters/filters-of.ts'
import type { Comparison, FilterTree } from './filters/tree.ts'
import { namesOf } from './names.ts'
import type { ExpectedMatches, FilterField, RecordType, StoredKeys } from './record-type.ts'

// The driving key of a statement is the one key by which the statement finds records. Its index has the order of lists.

/** The filter of a compared field. @throws Error if the record type has none */
export function filterOfComparison({ filters }: RecordType, { field }: Comparison): FilterField {
  const filter = filterNamed(filters, field)
  if (!filter) throw new Error(`There is no filter ${field}`)
  return filter
}

/**
 * Finds the condition whose key drives the statement. A key that identifies a record finds the fewest records. A tag
 * finds more than a search or a company.
 * @returns isFound: whether a search or another index finds few records
 */
export function findDrivingCondition(
  type: RecordType,
  conjuncts: readonly FilterTree[],
  hasSearch: boolean,
): { driver: Comparison | undefined; isFound: boolean } {
  const keyed = conjuncts.filter(
    (each): each is Comparison =>
      'op' in each && each.op === 'eq' && filterOfComparison(type, each).keyOf !== undefined,
  )
  const identifying = keyed.find((each) => filterOfComparison(type, each).isMatched)
  const isFound = hasSearch || conjuncts.some((each) => otherIndex(type, each) === 'few')
  return { driver: identifying ?? (isFound ? undefined : keyed[0]), isFound }
}

/**
 * The maximum number of keys to look up one by one. (Measured with 40,000 keys: 90 ms with a hash join, 235 ms with
 * lookups.)
 */
const lookupsMax = 10_000

/** Returns whether at most 10,000 records have the key, so that each can be looked up. */
export async function hasFewRecords(org: Org, { table, condition }: StoredKeys): Promise<boolean> {
  const limit = rawSql(`limit ${lookupsMax + 1}`)
  const [row] = await org.readRows(sql<{ keys: number }>`
    select count(*)::int as keys from (
      select from ${table} k where k.org_id = ${org.orgId} and ${condition} ${limit}) as k`)
  return (row?.keys ?? 0) <= lookupsMax
}

/** Returns how many records the other indexes find, besides the index of keys. */
function otherIndex(type: RecordType, each: FilterTree): ExpectedMatches {
  if (!('op' in each)) return null
  const { keyOf, matches } = filterOfComparison(type, each)
  return keyOf === undefined ? (matches?.(each.op) ?? null) : null
}

/**
 * The SQL that joins each key `k` with its record `r`.
 * @param isLookup true: `offset 0` forces a lookup for each key. Without it, a plan that PostgreSQL made while the
 * table was empty would scan all records for each key
 */
export function recordsOfKeys(
  type: RecordType,
  { table: keys, recordId }: StoredKeys,
  isLookup: boolean,
): Sql {
  const { table, id } = namesOf(type)
  const isOfKey = sql`r.org_id = k.org_id and r.${id} = ${recordId}`
  return isLookup
    ? sql`${keys} k cross join lateral (select * from ${table} r where ${isOfKey} offset 0) as r`
    : sql`${keys} k join ${table} r on ${isOfKey}`
}
