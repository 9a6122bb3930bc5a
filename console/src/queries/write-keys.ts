import { queryOptions } from '@tanstack/react-query'
import type { Scope } from '../shell/scope.tsx'

export const writeKeysQuery = ({ orgId, api }: Scope) =>
  queryOptions({
    queryKey: ['write-keys', orgId],
    queryFn: ({ signal }) => api.writeKeys.list({ signal }),
  })
