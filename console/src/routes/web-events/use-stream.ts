import { type InfiniteData, keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import type { ListWebEventsQuery, WebEventPage } from '../../../../sdk/src/generated/types.ts'
import { useScope } from '../../shell/scope.tsx'

const pageSize = 50
const pollMs = 2_000

/**
 * The latest events, read again every 2 s.
 * @param isMoving false: the list stays as it is, so that a person can read it
 */
export function useStream(query: ListWebEventsQuery, isMoving: boolean) {
  const { orgId, api } = useScope()
  const queries = useQueryClient()
  const queryKey = ['web-events', orgId, query]
  const events = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam: cursor, signal }) =>
      api.tracking.events.list({ ...query, limit: pageSize, cursor }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    placeholderData: keepPreviousData,
    refetchInterval: isMoving && pollMs,
    refetchOnWindowFocus: isMoving,
  })
  /** Drops older pages, so that each poll reads only one page, and reads the latest events. */
  const restart = () => {
    queries.setQueryData<InfiniteData<WebEventPage, string | undefined>>(
      queryKey,
      (data) => data && { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) },
    )
    void queries.invalidateQueries({ queryKey })
  }
  return { events, restart }
}
