import { exactTotal } from '../platform/db/record-totals.ts'
import type { Sql } from '../platform/db/sql.ts'
import { filterOfComparison } from './driving-key.ts'
import { conjunctsOf, type Scalar } from './filters/tree.ts'
import type { RecordType } from './record-type.ts'
import type { RecordSelector } from './selection.ts'

/**
 * Returns SQL of the stored number of records that a selector finds; undefined: they must be counted. It counts the records of
 * all owners, so it is no total for a limited member.
 */
export function storedTotalOf(
  type: RecordType,
  { filter, q, archived = false }: RecordSelector,
): ((orgId: string) => Sql) | undefined {
  if (q !== undefined || archived) return undefined
  const [only, ...others] = filter ? conjunctsOf(filter.tree) : []
  if (!only) return (orgId) => exactTotal(orgId, type.entity)
  if (others.length > 0 || !('op' in only) || only.op !== 'eq') return undefined
  const { storedTotal } = filterOfComparison(type, only)
  return storedTotal && ((orgId) => storedTotal(only.value as Scalar, orgId))
}
