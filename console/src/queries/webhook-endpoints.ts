import { queryOptions } from '@tanstack/react-query'
import type { Scope } from '../shell/scope.tsx'

export const endpointsQuery = ({ orgId, mode, api }: Scope) =>
  queryOptions({
    queryKey: ['webhook-endpoints', orgId, mode],
    // An organization has at most 50 endpoints.
    queryFn: ({ signal }) => api.webhooks.endpoints.list({ limit: 50 }, { signal }),
  })
