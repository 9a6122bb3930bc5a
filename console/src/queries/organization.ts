import { queryOptions } from '@tanstack/react-query'
import type { Scope } from '../shell/scope.tsx'

export const organizationQuery = ({ orgId, api }: Scope) =>
  queryOptions({
    queryKey: ['organization', orgId],
    queryFn: async ({ signal }) => (await api.organization.get({ signal })).acting_on,
  })
