import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { DealSearch as Asked, Deal, RecordFilter } from '../../../../../sdk/src/generated/types.ts'
import { deals } from '../../../records/deals/kind.ts'
import { conditionsOf } from '../../../records/filters/conditions.ts'
import { queryOf } from '../../../records/list-query.ts'
import { listsKey } from '../../../records/record-queries.ts'
import { useScope } from '../../../shell/scope.tsx'
import type { DealSearch } from '../search.ts'

const pageSize = 50
/** The deals that changed last come first. So a deal that was moved is at the top of its new stage. */
export const boardSort = '-updated_at'

/** The open deals that the board shows, as the API expects it. */
export function openDeals(search: DealSearch, ...more: RecordFilter[]): Asked {
  const { filter, archived: _, ...others } = queryOf(search)
  return {
    ...others,
    filter: { and: [...conditionsOf(filter), { field: 'status', op: 'eq', value: 'open' }, ...more] },
    sort: search.sort ?? boardSort,
  }
}

/** The deals of a stage, page by page. @param isSeen false: nothing is read yet */
export function useColumn(stage: string, search: DealSearch, isSeen: boolean) {
  const { orgId, api } = useScope()
  const asked = openDeals(search, { field: 'stage', op: 'eq', value: stage })
  const column = useInfiniteQuery({
    queryKey: [...listsKey(deals, orgId), 'board', asked],
    queryFn: async ({ pageParam, signal }) =>
      api.deals.search({ ...asked, limit: pageSize, ...(pageParam && { cursor: pageParam }) }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
    enabled: isSeen,
    placeholderData: keepPreviousData,
    structuralSharing: false,
    // The board reads it again when a deal changed.
    staleTime: Number.POSITIVE_INFINITY,
  })
  const rows = useMemo(
    () => uniqueDeals(column.data?.pages.flatMap(({ data }) => data) ?? [], stage),
    [column.data, stage],
  )
  return { column, rows, total: column.data?.pages.at(-1)?.pagination.total ?? null }
}

/**
 * A deal that changed while pages were loaded can be in two pages. A deal that somebody moved or closed is in the list
 * until it is read again.
 */
function uniqueDeals(all: readonly Deal[], stage: string): readonly Deal[] {
  const seen = new Set<string>()
  return all.filter(
    (deal) =>
      deal.stage === stage &&
      deal.status === 'open' &&
      deal.archived_at === null &&
      !seen.has(deal.deal_id) &&
      seen.add(deal.deal_id),
  )
}
