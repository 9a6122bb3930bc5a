import type { RecordFilter } from '../../../sdk/src/generated/types.ts'
import { textIn } from '../routing/search-text.ts'
import { brokenFilter } from './filters/conditions.ts'

/** What a list of records shows, in the form of the address. */
export type ListSearch = {
  q?: string | undefined
  /** The same tree as that of the API. The conditions of its outermost `and` are shown one by one. */
  filter?: RecordFilter | undefined
  /** The name of a field; a minus before it gives descending order. */
  sort?: string | undefined
  /** The id of the open segment. */
  segment?: string | undefined
  /** The person changed the words or filters of the open segment, and `q` and `filter` replace them. */
  edited?: true | undefined
  archived?: true | undefined
  /** The id of the record that is open beside the list. */
  peek?: string | undefined
  /** Whether the page opens the dialog for a new record. */
  new?: true | undefined
}

function filterIn(value: unknown): RecordFilter | undefined {
  if (value === undefined) return undefined
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return brokenFilter
  return Object.keys(value).length > 0 ? value : undefined
}

const flagIn = (value: unknown): true | undefined => (value === true ? true : undefined)

export function readListSearch(search: Record<string, unknown>): ListSearch {
  const { q, filter, sort, segment, edited, archived, peek, new: isNew } = search
  const segmentId = textIn(segment)
  return {
    q: textIn(q),
    filter: filterIn(filter),
    sort: textIn(sort),
    segment: segmentId,
    edited: segmentId === undefined ? undefined : flagIn(edited),
    archived: flagIn(archived),
    peek: typeof peek === 'string' && peek ? peek : undefined,
    new: flagIn(isNew),
  }
}
