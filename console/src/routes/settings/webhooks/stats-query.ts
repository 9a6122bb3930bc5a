import { queryOptions } from '@tanstack/react-query'
import type { WebhookHour, WebhookStats } from '../../../../../sdk/src/generated/types.ts'
import { liveInterval } from '../../../api/live.ts'
import { firstOf } from '../../../parts/times.ts'
import type { Scope } from '../../../shell/scope.tsx'

export const periods = {
  day: { bars: 24, seconds: 3_600 },
  month: { bars: 30, seconds: 86_400 },
} as const

export type Period = keyof typeof periods

/** How many requests to an endpoint succeeded in each hour of a period. */
export const statsQuery = ({ orgId, mode, api }: Scope, endpointId: string, period: Period) => {
  const { bars, seconds } = periods[period]
  return queryOptions({
    queryKey: ['webhook-stats', orgId, mode, endpointId, period],
    queryFn: ({ signal }) => api.webhooks.stats.get(endpointId, { from: firstOf(bars, seconds) }, { signal }),
    refetchInterval: liveInterval(({ waiting_retries }: WebhookStats) => waiting_retries > 0, 5_000),
  })
}

/** The number of requests to an endpoint in some hours. */
export const requestsOf = (hours: readonly WebhookHour[]): number =>
  hours.reduce((sum, { delivered, failed }) => sum + delivered + failed, 0)
