import { queryOptions } from '@tanstack/react-query'
import type { Scope } from '../shell/scope.tsx'

/** What Crosswalk does with records that seem to be the same. */
export const duplicateSettingsQuery = ({ orgId, api }: Scope) =>
  queryOptions({
    queryKey: ['duplicate-settings', orgId],
    queryFn: ({ signal }) => api.duplicates.settings.get({ signal }),
  })
