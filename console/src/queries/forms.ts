import { queryOptions } from '@tanstack/react-query'
import type { Scope } from '../shell/scope.tsx'

export const formsQuery = ({ orgId, api }: Scope) =>
  queryOptions({
    queryKey: ['forms', orgId],
    queryFn: ({ signal }) => api.forms.list({ signal }),
  })
