import { queryOptions } from '@tanstack/react-query'
import type { Scope } from './scope.tsx'

/** The calls of apps and programs that wait for this person. The navigation polls it on every page. */
export const approvalsQuery = ({ orgId, api }: Pick<Scope, 'orgId' | 'api'>) =>
  queryOptions({
    queryKey: ['approvals', orgId],
    queryFn: ({ signal }) => api.approvals.list({ signal }),
  })
