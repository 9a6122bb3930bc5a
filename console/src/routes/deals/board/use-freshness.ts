import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { ApiError } from '../../../../../sdk/src/errors.ts'
import { deals } from '../../../records/deals/kind.ts'
import { listsKey } from '../../../records/record-queries.ts'
import { rereadSegments } from '../../../records/segments/segment-queries.ts'
import { useScope } from '../../../shell/scope.tsx'
import { boardSort, openDeals } from './use-column.ts'

const pollMs = 5_000

/**
 * Keeps the board up to date. Every change of an open deal changes the latest one, or the number of all: so one small
 * request every 5 s says whether the columns must be read again.
 */
export function useFreshness(): { refresh: () => Promise<unknown>; isFailing: boolean } {
  const { orgId, api } = useScope()
  const queries = useQueryClient()
  const head = useQuery({
    queryKey: ['deal-head', orgId],
    queryFn: async ({ signal }) => {
      const asked = { ...openDeals({ sort: boardSort }), fields: ['version'], limit: 1 }
      const { data, pagination } = await api.deals.search(asked, { signal })
      return `${pagination.total} ${data[0]?.deal_id} ${data[0]?.version}`
    },
    refetchInterval: pollMs,
    staleTime: 0,
  })
  const seen = useRef<string | undefined>(undefined)
  const reading = useRef<Promise<unknown>>(Promise.resolve())
  /** Whether a column, or a sum, could not be read again after a change. */
  const [isOld, setOld] = useState(false)
  const compare = useCallback(
    (latest: string | undefined) => {
      if (latest === undefined || latest === seen.current) return reading.current
      const isFirst = seen.current === undefined
      seen.current = latest
      if (isFirst) return reading.current
      const keys = [listsKey(deals, orgId), ['deal-summary', orgId]]
      reading.current = Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey }))).then(
        () => {
          const all = keys.flatMap((queryKey) =>
            queries.getQueryCache().findAll({ queryKey, type: 'active' }),
          )
          const failed = all.filter(({ state }) => state.data !== undefined && state.status === 'error')
          const missing = failed.filter(
            ({ state: { error } }) => error instanceof ApiError && error.status === 404,
          )
          // Somebody deleted the segment of the board. The page says so when it has read the segments again.
          if (missing.length > 0) void rereadSegments(orgId)
          // The next poll tries again, even if no deal changes.
          if (failed.length > 0) seen.current = ''
          setOld(failed.length > missing.length)
        },
      )
      return reading.current
    },
    [queries, orgId],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each poll
  useEffect(() => void compare(head.data), [head.dataUpdatedAt, compare])
  const { refetch } = head
  const refresh = useCallback(async () => {
    const { data } = await refetch()
    await compare(data)
  }, [refetch, compare])
  return { refresh, isFailing: head.isError || head.isPaused || isOld }
}
