import { queryOptions } from '@tanstack/react-query'
import type { Scope } from '../../../shell/scope.tsx'

/** The settings of privacy and identity. */
export const trackingSettingsQuery = ({ orgId, api }: Scope) =>
  queryOptions({
    queryKey: ['tracking-settings', orgId],
    queryFn: ({ signal }) => api.tracking.settings.get({ signal }),
  })
