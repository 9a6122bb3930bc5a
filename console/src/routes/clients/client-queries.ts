import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useScope } from '../../shell/scope.tsx'

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
    placeholderData: keepPreviousData,
    staleTime,
  })
}

/**
 * What each client used in a month.
 * @param needsAll whether to read all pages, because the API can neither search nor sort them
 */
export function useClients(month: string, needsAll: boolean) {
  const { orgId, mode, api } = useScope()
  const clients = useInfiniteQuery({
    queryKey: ['client-usage', orgId, mode, month],
    queryFn: ({ pageParam, signal }) =>
      api.agency.usage.list({ month, limit: 100, ...(pageParam && { cursor: pageParam }) }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
    placeholderData: keepPreviousData,
    staleTime,
  })
  const { hasNextPage, isFetching, isError, isPlaceholderData, fetchNextPage } = clients
  useEffect(() => {
    if (needsAll && hasNextPage && !isFetching && !isError && !isPlaceholderData) void fetchNextPage()
  }, [needsAll, hasNextPage, isFetching, isError, isPlaceholderData, fetchNextPage])
  return clients
}
