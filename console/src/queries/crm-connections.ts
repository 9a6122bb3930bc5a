import { queryOptions } from '@tanstack/react-query'
import type { Scope } from '../shell/scope.tsx'

export const connectionsQuery = ({ orgId, api }: Scope) =>
  queryOptions({
    queryKey: ['crm-connections', orgId],
    queryFn: async ({ signal }) => (await api.crm.connections.list({ limit: 100 }, { signal })).data,
  })
