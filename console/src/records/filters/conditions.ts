import type { FilterOperator, RecordFilter } from '../../../../sdk/src/generated/types.ts'

export const defaultSort = '-created_at'

/**
 * Stands for a filter of the address that cannot be read, such as that of a link that was cut off. The API refuses this
 * field, so that no page takes such a link for all records.
 */
export const brokenFilter: RecordFilter = { field: 'broken_filter' }

/** Whether a filter has a part that could not be read. */
export const isBroken = (filter: RecordFilter | undefined): boolean =>
  conditionsOf(filter).some(({ field }) => field === brokenFilter.field)

export type Condition = { field: string; op: FilterOperator; value: unknown }

/** The conditions that a record must all meet. */
export const conditionsOf = (filter: RecordFilter | undefined): readonly RecordFilter[] =>
  filter === undefined ? [] : (filter.and ?? [filter])

export const filterOf = (conditions: readonly RecordFilter[]): RecordFilter | undefined =>
  conditions.length === 0 ? undefined : { and: [...conditions] }

/** A comparison of a field; null: a condition of several parts, which the filter bar shows but does not edit. */
export const comparisonOf = ({ field, op = 'eq', value }: RecordFilter): Condition | null =>
  field === undefined ? null : { field, op, value }
