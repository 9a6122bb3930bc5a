import type { RecordFilter, Segment } from '../../../../sdk/src/generated/types.ts'
import { comparisonOf, conditionsOf } from '../filters/conditions.ts'
import type { ListSearch } from '../list-search.ts'

type Selection = Pick<ListSearch, 'q' | 'filter' | 'sort'>

/** What a list with an open segment shows: its words and filters, unless the person changed them, and its order. */
export function shownSearch(search: ListSearch, segment: Segment | undefined): ListSearch {
  const sort = search.sort ?? segment?.sort ?? undefined
  if (search.edited || !segment) return { ...search, sort }
  return { ...search, q: segment.q ?? undefined, filter: (segment.filter ?? undefined) as RecordFilter, sort }
}

/**
 * The next address. If a segment is open, a change of its words or filters keeps the others. A change back to the
 * segment ends the change.
 */
export function nextSearch(search: ListSearch, segment: Segment | undefined, next: ListSearch): ListSearch {
  if (!segment || 'segment' in next || !('q' in next || 'filter' in next)) return next
  const changed = { ...shownSearch(search, segment), ...next, edited: true as const }
  return isSame(changed, segment, ['q', 'filter'])
    ? { ...next, q: undefined, filter: undefined, edited: undefined }
    : changed
}

/** Whether a list shows the words, filters and order of a segment. */
export const isSame = (
  shown: Selection,
  segment: Segment,
  members: readonly ('q' | 'filter' | 'sort')[] = ['q', 'filter', 'sort'],
): boolean => {
  const [ours, theirs] = [selectionOf(shown), selectionOf(segment as unknown as Selection)]
  return members.every((name) =>
    name === 'filter' ? normal(ours.filter) === normal(theirs.filter) : ours[name] === theirs[name],
  )
}

/** What a segment stores of a list. */
export const selectionOf = ({ q, filter, sort }: Selection) => ({
  q: q ?? null,
  filter: filter ?? null,
  sort: sort ?? null,
})

/**
 * The address of a list that shows a segment; null: all records. The list keeps its view, and still shows archived records
 * if it did.
 */
export const openSearch = (segmentId: string | null): ListSearch => ({
  segment: segmentId ?? undefined,
  ...{ edited: undefined, q: undefined, filter: undefined, sort: undefined, peek: undefined },
})

const normal = (filter: RecordFilter | null): string =>
  JSON.stringify(conditionsOf(filter ?? undefined).map(normalCondition))

/** The API stores a condition with its operator, and in its own order of members. */
function normalCondition(condition: RecordFilter): unknown {
  const { and, or, not } = condition
  if (and) return { and: and.map(normalCondition) }
  if (or) return { or: or.map(normalCondition) }
  if (not) return { not: normalCondition(not) }
  const comparison = comparisonOf(condition)
  return comparison && [comparison.field, comparison.op, comparison.value]
}
