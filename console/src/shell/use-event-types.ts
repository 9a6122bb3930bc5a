import { useQuery } from '@tanstack/react-query'
import { useScope } from './scope.tsx'

/** All types of events. They change only with the version of Crosswalk. */
export function useEventTypes() {
  const { orgId, api } = useScope()
  return useQuery({
    queryKey: ['event-types', orgId],
    queryFn: ({ signal }) => api.webhooks.eventTypes.list({ signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
}
