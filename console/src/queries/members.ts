import { queryOptions } from '@tanstack/react-query'
import type { Scope } from '../shell/scope.tsx'

export const membersQuery = ({ orgId, api }: Scope) =>
  queryOptions({
    queryKey: ['members', orgId],
    queryFn: ({ signal }) => api.members.list({ signal }),
  })
