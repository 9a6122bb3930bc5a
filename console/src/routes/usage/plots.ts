import type { Usage, UsageSeriesName } from '../../../../sdk/src/generated/types.ts'
import type { PlotSeries } from '../../parts/plot.tsx'

type Points = readonly (readonly number[])[]

/** A plot over one or two series, and the page that shows what is behind its numbers. */
export type UsagePlot = {
  title: string
  about: string
  series: readonly (PlotSeries & { points: Points })[]
  /** null: the numbers of all series together */
  total: number | null
  link: { path: string; name: string; permission: string } | null
}

const valueAt = (points: Points, index: number) => points[index]?.[1] ?? 0
export const sumOf = (points: Points): number => points.reduce((sum, [, value = 0]) => sum + value, 0)

/**
 * The plots of the page, in their order. The first one is wide.
 * @param hasClients whether the organization is an agency
 */
export function plotsOf({ series }: Usage, hasClients: boolean): readonly UsagePlot[] {
  const of = (name: UsageSeriesName): Points => series.find((one) => one.name === name)?.points ?? []
  const requests = of('requests')
  const refused = of('rate_limited')
  // A refused request counts as a request, too.
  const answered = requests.map(([at = 0, value = 0], index) => [at, value - valueAt(refused, index)])
  return [
    {
      title: 'Requests',
      about: `Requests of API keys and people. After a 429, programs should wait and send the request again.${
        hasClients
          ? ' Requests to clients count for the clients. But if an agency key exceeds the limit, its 429 counts here.'
          : ''
      }`,
      series: [
        { name: 'answered', kind: 'main', points: answered },
        { name: 'refused with 429', kind: 'bad', points: refused },
      ],
      total: sumOf(requests),
      link: { path: '/settings/api', name: 'API keys', permission: 'api_keys:read' },
    },
    {
      title: 'Calls',
      about: 'Calls that were placed.',
      series: [{ name: 'Calls', kind: 'main', points: of('calls') }],
      total: null,
      link: { path: '/calls', name: 'Calls', permission: 'voice:read' },
    },
    {
      title: 'Call minutes',
      about: 'Each call is rounded up to a full minute.',
      series: [{ name: 'Call minutes', kind: 'main', points: of('call_minutes') }],
      total: null,
      link: null,
    },
    {
      title: 'Webhook requests',
      about: 'Requests to your webhook endpoints. A failed one is retried.',
      series: [
        { name: 'delivered', kind: 'main', points: of('webhooks_delivered') },
        { name: 'failed', kind: 'bad', points: of('webhooks_failed') },
      ],
      total: null,
      link: { path: '/settings/webhooks', name: 'Webhooks', permission: 'webhooks:read' },
    },
    {
      title: 'Changes',
      about: 'Changes of records, keys and settings.',
      series: [{ name: 'Changes', kind: 'main', points: of('events') }],
      total: null,
      link: { path: '/events', name: 'Events', permission: 'events:read' },
    },
  ]
}
