import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import { deals } from '../../../records/deals/kind.ts'
import { listsKey } from '../../../records/record-queries.ts'
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
  const compare = useCallback(
    (latest: string | undefined) => {
      if (latest === undefined || latest === seen.current) return reading.current
      const isFirst = seen.current === undefined
      seen.current = latest
      if (!isFirst)
        reading.current = Promise.all(
          [listsKey(deals, orgId), ['deal-summary', orgId]].map((queryKey) =>
            queries.invalidateQueries({ queryKey }),
          ),
        )
      return reading.current
    },
    [queries, orgId],
  )
  useEffect(() => void compare(head.data), [head.data, compare])
  const { refetch } = head
  const refresh = useCallback(async () => {
    const { data } = await refetch()
    await compare(data)
  }, [refetch, compare])
  return { refresh, isFailing: head.isError || head.isPaused }
}
