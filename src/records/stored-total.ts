import { exactTotal } from '../platform/db/record-totals.ts'
import type { Sql } from '../platform/db/sql.ts'
import { type Comparison, conjunctsOf, type FilterTree } from './filters/tree.ts'
import type { RecordType } from './record-type.ts'
import type { RecordSelector } from './selection.ts'
import type { StoredList } from './stored-list.ts'

/** `sort`: the order that the index of these records has; null: indexes have several orders */
type StoredTotal = { sort: StoredList['sort'] | null; total: Sql }

/**
 * Returns the stored number of records that a selector finds; undefined: they must be counted. The number includes the
 * records of all owners, so it is not the total that a limited member sees.
 */
export function storedTotalOf(
  type: RecordType,
  { filter, q, archived = false }: RecordSelector,
  orgId: string,
): StoredTotal | undefined {
  if (q !== undefined || archived) return undefined
  const conjuncts = filter ? conjunctsOf(filter.tree) : []
  if (conjuncts.length === 0) return { sort: null, total: exactTotal(orgId, type.entity) }
  if (!conjuncts.every(isEquality)) return undefined
  for (const { fields, sort, total } of type.storedLists) {
    const values = fields.flatMap((field) => conjuncts.find((each) => each.field === field)?.value ?? [])
    if (fields.length !== conjuncts.length || values.length !== fields.length) continue
    const found = total(values, orgId)
    return found && { sort, total: found }
  }
  return undefined
}

const isEquality = (each: FilterTree): each is Comparison => 'op' in each && each.op === 'eq'
