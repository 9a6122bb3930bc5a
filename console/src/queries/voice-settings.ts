import { queryOptions } from '@tanstack/react-query'
import type { Scope } from '../shell/scope.tsx'

/** The settings of calls: their provider, and their rules. */
export const voiceSettingsQuery = ({ orgId, api }: Scope) =>
  queryOptions({
    queryKey: ['voice-settings', orgId],
    queryFn: async ({ signal }) => api.voice.settings.get({ signal }),
  })
