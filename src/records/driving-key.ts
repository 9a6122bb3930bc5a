import { type Sql, sql } from '../platform/db/sql.ts'
import { filterNamed } from './filters/filters-of.ts'
import type { Comparison, FilterTree } from './filters/tree.ts'
import { namesOf } from './names.ts'
import type { FilterField, Matches, RecordType } from './record-type.ts'

// One key drives a statement, because the index of keys has the order of lists.

export function filterOf({ filters }: RecordType, { field }: Comparison): FilterField {
  const filter = filterNamed(filters, field)
  if (!filter) throw new Error(`There is no filter ${field}`)
  return filter
}

/**
 * Finds the condition whose key drives the statement, if any does. A key that identifies a record finds the fewest
 * records. A tag finds more than a search or a company.
 * @returns isFound: whether a key, a search or another index finds the records
 */
export function driverAmong(
  type: RecordType,
  conjuncts: readonly FilterTree[],
  hasSearch: boolean,
): { driver: Comparison | undefined; isFound: boolean } {
  const keyed = conjuncts.filter(
    (each): each is Comparison =>
      'op' in each && each.op === 'eq' && filterOf(type, each).keyOf !== undefined,
  )
  const identifying = keyed.find((each) => filterOf(type, each).isMatched)
  const isFoundOtherwise = hasSearch || conjuncts.some((each) => otherIndex(type, each) === 'few')
  const driver = identifying ?? (isFoundOtherwise ? undefined : keyed[0])
  return { driver, isFound: isFoundOtherwise || driver !== undefined }
}

/** How many records an index besides that of the keys finds for a condition. */
export function otherIndex(type: RecordType, each: FilterTree): Matches {
  if (!('op' in each)) return null
  const { keyOf, matches } = filterOf(type, each)
  return keyOf === undefined ? (matches?.(each.op) ?? null) : null
}

/**
 * The keys `k` with the record `r` of each.
 * @param isLookup true: `offset 0` forces a lookup for each key. Otherwise a plan from the time when the table was empty
 * would read all records of the organization for each key. false: PostgreSQL may begin with another index
 */
export function recordsOfKeys(type: RecordType, isLookup: boolean): Sql {
  const { table, keyTable, id } = namesOf(type)
  const isOfKey = sql`r.org_id = k.org_id and r.${id} = k.${id}`
  return isLookup
    ? sql`${keyTable} k cross join lateral (select * from ${table} r where ${isOfKey} offset 0) as r`
    : sql`${keyTable} k join ${table} r on ${isOfKey}`
}
