import { queryOptions } from '@tanstack/react-query'
import type { Scope } from '../shell/scope.tsx'

export const apiKeysQuery = ({ orgId, api }: Scope) =>
  queryOptions({
    queryKey: ['api-keys', orgId],
    queryFn: ({ signal }) => api.apiKeys.list({ signal }),
  })
