import type { RecordFilter } from '../../../sdk/src/generated/types.ts'

/** What a list of records shows, in the form of the address. */
export type ListSearch = {
  q?: string | undefined
  /** The same tree as that of the API. The conditions of its outermost `and` are shown one by one. */
  filter?: RecordFilter | undefined
  /** The name of a field; a minus before it gives descending order. */
  sort?: string | undefined
  archived?: true | undefined
  /** The id of the record that is open beside the list. */
  peek?: string | undefined
}

const textIn = (value: unknown): string | undefined =>
  // The router reads a text of digits as a number.
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() || undefined : undefined

const isObject = (value: unknown): value is RecordFilter =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0

export const readListSearch = ({ q, filter, sort, archived, peek }: Record<string, unknown>): ListSearch => ({
  q: textIn(q),
  filter: isObject(filter) ? filter : undefined,
  sort: textIn(sort),
  archived: archived === true ? true : undefined,
  peek: typeof peek === 'string' && peek ? peek : undefined,
})
