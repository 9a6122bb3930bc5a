import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Segment } from '../../../../sdk/src/generated/types.ts'
import { useScope } from '../../shell/scope.tsx'
import type { RecordKind } from '../kinds.ts'
import type { ListSearch } from '../list-search.ts'
import { segmentsQuery } from './segment-queries.ts'
import { isSame, nextSearch, openSearch, shownSearch } from './shown-search.ts'

/** `new` saves what the list shows as another segment. The others are about the open segment. */
export type SegmentDialogName = 'new' | 'rename' | 'delete'

/** The segment that a list shows. */
export type OpenSegment = {
  /** undefined: no segment is open, it is not read yet, or it does not exist. */
  segment: Segment | undefined
  /** The segment as it was read before the person changed the list. A save replaces only this version. */
  base: Segment | undefined
  /** Makes the current version of the segment the base. */
  rebase: () => void
  /** Whether the address names a segment that does not exist. */
  isGone: boolean
  /** Whether the words, filters and order of the list are known. */
  isRead: boolean
  /** Whether the list differs from its segment. */
  isChanged: boolean
  /** What the list shows, with the words and filters of the segment. */
  shown: ListSearch
  /** Changes the list, such as its filters. */
  change: (next: ListSearch, replace?: boolean) => void
  /** Opens a segment as it is saved; null: shows all records. */
  open: (segmentId: string | null) => void
  dialog: SegmentDialogName | null
  /** Opens a dialog. */
  ask: (dialog: SegmentDialogName | null) => void
}

/**
 * @param search the address of the list
 * @param navigate adds to the address
 */
export function useSegment(
  { entity }: RecordKind,
  search: ListSearch,
  navigate: (next: ListSearch, replace?: boolean) => void,
): OpenSegment {
  const [dialog, ask] = useState<SegmentDialogName | null>(null)
  const isOpen = search.segment !== undefined
  const { data } = useQuery({ ...segmentsQuery(useScope(), entity), enabled: isOpen })
  const segment = isOpen ? data?.find(({ segment_id }) => segment_id === search.segment) : undefined
  const shown = shownSearch(search, segment)
  const isChanged = segment !== undefined && !isSame(shown, segment)
  // The page polls the segments. What others save meanwhile must not become the base of a change.
  const [base, setBase] = useState<Segment>()
  const isStale = !isChanged || base?.segment_id !== segment.segment_id
  if (segment && segment !== base && isStale) setBase(segment)
  return {
    segment,
    base,
    rebase: () => setBase(undefined),
    isGone: isOpen && data !== undefined && !segment,
    isRead: !isOpen || data !== undefined,
    isChanged,
    shown,
    change: (next, replace) => navigate(nextSearch(search, segment, next), replace),
    open: (segmentId) => navigate(openSearch(segmentId)),
    ...{ dialog, ask },
  }
}
