import { queryOptions } from '@tanstack/react-query'
import type { Scope } from '../shell/scope.tsx'

/** The agencies that act on the organization. */
export const agenciesQuery = ({ orgId, api }: Scope) =>
  queryOptions({
    queryKey: ['agencies', orgId],
    queryFn: ({ signal }) => api.organization.agencies.list({ limit: 100 }, { signal }),
  })
