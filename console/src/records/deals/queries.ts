import { queryOptions } from '@tanstack/react-query'
import type { Scope } from '../../shell/scope.tsx'

/** The stages of deals, in their order. */
export const stagesQuery = ({ orgId, api }: Scope) =>
  queryOptions({
    queryKey: ['deal-stages', orgId],
    queryFn: async ({ signal }) => api.deals.stages.get({ signal }),
    staleTime: 5_000,
  })

/** The close reasons that deals can be closed with, and whether the person may change them. */
export const reasonsQuery = ({ orgId, api }: Scope, isArchived = false) =>
  queryOptions({
    queryKey: ['close-reasons', orgId, isArchived],
    queryFn: async ({ signal }) => api.deals.closeReasons.list({ archived: isArchived }, { signal }),
    staleTime: 5_000,
  })

/** The number and the sums of the deals, over all of them. */
export const summaryQuery = ({ orgId, api }: Scope, period: { from?: string; to?: string } = {}) =>
  queryOptions({
    queryKey: ['deal-summary', orgId, period],
    queryFn: async ({ signal }) => api.deals.summarize(period, { signal }),
    placeholderData: (before) => before,
  })
