import type { OrgTx } from '../../platform/db/org-tx.ts'
import { pointsOf, stepRangeOf } from '../../platform/http/time-steps.ts'
import { countSubmissions } from '../forms/submissions/count.ts'
import {
  type ReportRange,
  readSteps,
  readTopKeys,
  readVisitSteps,
  readVisits,
  type StepCount,
} from '../store/report-counts.ts'
import type { Dimension } from '../store/report-deltas.ts'
import type { OverviewQuery, ReportQuery, SeriesName, TrackingOverview, TrackingReport } from './schema.ts'

/**
 * The numbers of views, visitors, sessions and events of people.
 * @throws ValidationError at from
 */
export async function readOverview(tx: OrgTx, query: OverviewQuery): Promise<TrackingOverview> {
  const range = stepRangeOf(query)
  const [views, events, visits, visited] = await Promise.all([
    readSteps(tx, 'count', range, 'views'),
    readSteps(tx, 'count', range, 'events'),
    readVisits(tx, range),
    readVisitSteps(tx, range),
  ])
  const stepsOf = (name: 'visitors' | 'sessions') => visited.map((each) => ({ at: each.at, n: each[name] }))
  return {
    totals: { views: sumOf(views), ...visits, events: sumOf(events) },
    series: [
      seriesOf(range, 'views', views),
      seriesOf(range, 'visitors', stepsOf('visitors')),
      seriesOf(range, 'sessions', stepsOf('sessions')),
      seriesOf(range, 'events', events),
    ],
  }
}

/**
 * The entries of a dimension with the highest numbers.
 * @throws ValidationError at from
 */
export async function readReport(
  tx: OrgTx,
  { dimension, counted }: { dimension: Dimension | 'form'; counted: TrackingReport['counted'] },
  query: ReportQuery,
): Promise<TrackingReport> {
  const range = stepRangeOf(query)
  const [steps, rows] =
    dimension === 'form'
      ? await readForms(tx, range, query.limit)
      : await Promise.all([readSteps(tx, dimension, range), readTopKeys(tx, dimension, range, query.limit)])
  const total = sumOf(steps)
  return { counted, total, series: seriesOf(range, counted, steps), rows, other: total - sumOf(rows) }
}

/** The submissions of each step, and the forms with the most submissions. */
async function readForms(
  tx: OrgTx,
  range: ReportRange,
  limit: number,
): Promise<[StepCount[], TrackingReport['rows']]> {
  const counts = await countSubmissions(tx, range)
  const steps = [...Map.groupBy(counts, ({ at }) => at)].map(([at, all]) => ({ at, n: sumOf(all) }))
  const forms = [...Map.groupBy(counts, ({ key }) => key)].map(([key, all]) => ({ key, n: sumOf(all) }))
  return [
    steps,
    forms.sort((one, other) => other.n - one.n || (one.key < other.key ? -1 : 1)).slice(0, limit),
  ]
}

const sumOf = (counts: readonly { n: number }[]) => counts.reduce((sum, { n }) => sum + n, 0)

const seriesOf = (range: ReportRange, name: SeriesName, steps: readonly StepCount[]) => ({
  name,
  points: pointsOf(range, new Map(steps.map(({ at, n }) => [at, n]))),
})
