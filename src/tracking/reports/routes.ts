import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts'
import type { Dimension } from '../store/report-deltas.ts'
import { readFunnel } from './funnel.ts'
import { limitReports } from './limit-reports.ts'
import { readOverview, readReport } from './reports.ts'
import {
  Funnel,
  FunnelQuery,
  OverviewQuery,
  ReportQuery,
  TrackingOverview,
  TrackingReport,
} from './schema.ts'

const description =
  'Reports count the live events of people by the UTC hour in which they happened. Events of test keys and of bots are left out. The numbers are exact: they commit together with the events, and an erasure subtracts them. Reports go as far back as the stored events. The report of forms counts accepted live submissions.'
const tag = 'Tracking'
const permission = 'tracking:read'

type Report = {
  name: string
  summary: string
  dimension: Dimension | 'form'
  counted: TrackingReport['counted']
}

const reports: readonly Report[] = [
  { name: 'pages', summary: 'Read the most viewed pages', dimension: 'page', counted: 'views' },
  {
    name: 'referrers',
    summary: 'Read which sites linked to the viewed pages',
    dimension: 'referrer',
    counted: 'views',
  },
  {
    name: 'sources',
    summary: 'Read the views by `utm_source`',
    dimension: 'source',
    counted: 'views',
  },
  {
    name: 'campaigns',
    summary: 'Read the views by `utm_campaign`',
    dimension: 'campaign',
    counted: 'views',
  },
  { name: 'events', summary: 'Read the most frequent track events', dimension: 'event', counted: 'events' },
  {
    name: 'forms',
    summary: 'Read which forms were submitted most',
    dimension: 'form',
    counted: 'submissions',
  },
]

export const trackingReportEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/tracking/reports/overview',
    name: 'get_overview_report',
    sdk: 'tracking.reports.overview',
    summary: 'Read the numbers of views, visitors, sessions and events',
    ...{ description, tag, permission },
    query: OverviewQuery,
    shape: 'data',
    response: TrackingOverview,
    example: { step: 'day' },
    handle: ({ caller, org, query }) => limitReports(caller.payerId, org, (tx) => readOverview(tx, query)),
  }),
  ...reports.map(({ name, summary, ...report }) =>
    endpoint({
      method: 'GET',
      path: `/tracking/reports/${name}`,
      name: `get_${name}_report`,
      sdk: `tracking.reports.${name}`,
      ...{ summary, description, tag, permission },
      query: ReportQuery,
      shape: 'data',
      response: TrackingReport,
      example: { step: 'day', limit: 10 },
      handle: ({ caller, org, query }) =>
        limitReports(caller.payerId, org, (tx) => readReport(tx, report, query)),
    }),
  ),
  endpoint({
    method: 'POST',
    path: '/tracking/reports/funnel',
    name: 'read_funnel',
    sdk: 'tracking.reports.funnel',
    summary: 'Read how many visitors did some steps in order',
    description:
      'Counts the visitors who did two to five steps in their order, each step after the previous one. The number is computed from the events of the range, so a repeated event counts once. If it takes longer than 10 s, the answer is a 400 with the code `query_too_slow`. The request changes nothing, so an Idempotency-Key has no effect.',
    ...{ tag, permission },
    body: FunnelQuery,
    effect: 'none',
    isLong: true,
    shape: 'data',
    response: Funnel,
    example: {
      steps: [
        { kind: 'page', value: '/pricing' },
        { kind: 'event', value: 'Signed Up' },
      ],
      window_days: 7,
    },
    handle: ({ caller, org, body }) => readFunnel(caller.payerId, org, body),
  }),
]
