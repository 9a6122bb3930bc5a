import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useScope } from '../../shell/scope.tsx'
import type { ClientSearch } from './search.ts'

/** The beginnings of the keys of the queries that change with the clients of an agency. */
export const clientKeys = (orgId: string) => [
  ['client-usage', orgId],
  ['client-totals', orgId],
  ['client-invitations', orgId],
]

// A page of 100 clients costs the server 100 ms. With many clients, a read after each switch of windows is too much.
const staleTime = 60_000

/** The sums of all clients in a month. */
export function useTotals(month: string) {
  const { orgId, mode, api } = useScope()
  return useQuery({
    queryKey: ['client-totals', orgId, mode, month],
    queryFn: ({ signal }) => api.agency.usage.totals.get({ month }, { signal }),
    staleTime,
  })
}

/** Of an agency with more clients, the server searches. It reads a page of 100 for each search. */
const searchedHereMax = 500

/**
 * What each client used in a month: all clients, or those that the server found.
 * @param sort whether the clients are sorted. Then all pages are read, because the API cannot sort them
 */
export function useClients(month: string, { q, sort }: ClientSearch) {
  const all = usePages(month, undefined)
  const total = all.data?.pages[0]?.pagination.total ?? 0
  const asked = q !== undefined && total > searchedHereMax ? q : undefined
  const found = usePages(month, asked, asked !== undefined)
  const clients = asked === undefined ? all : found
  const needsAll = sort !== undefined || (q !== undefined && asked === undefined)
  const { hasNextPage, isFetching, isError, isPlaceholderData, fetchNextPage } = clients
  useEffect(() => {
    if (needsAll && hasNextPage && !isFetching && !isError && !isPlaceholderData) void fetchNextPage()
  }, [needsAll, hasNextPage, isFetching, isError, isPlaceholderData, fetchNextPage])
  return { all, clients, needsAll, isAsked: asked !== undefined }
}

/** The pages of all clients, or of the clients that `q` finds. */
function usePages(month: string, q: string | undefined, enabled = true) {
  const { orgId, mode, api } = useScope()
  return useInfiniteQuery({
    queryKey: ['client-usage', orgId, mode, month, q],
    queryFn: ({ pageParam, signal }) =>
      api.agency.usage.list(
        { month, limit: 100, ...(q && { q }), ...(pageParam && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
    // While a search runs, keep the clients of the previous search. Do not keep the clients of another month: their numbers
    // would look like numbers of this month.
    placeholderData: (before, query) =>
      query?.queryKey.slice(1, 4).join() === [orgId, mode, month].join() ? before : undefined,
    staleTime,
    enabled,
  })
}
