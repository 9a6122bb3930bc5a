import { z } from 'zod'
import { list, nested } from '../../platform/http/collections.ts'
import { integer, literal, text, timestamp } from '../../platform/http/fields.ts'
import * as shown from '../../platform/http/shown.ts'
import { timeSteps } from '../../platform/http/time-steps.ts'

const seriesNames = ['views', 'visitors', 'sessions', 'events', 'submissions'] as const

export type SeriesName = (typeof seriesNames)[number]

const meanings =
  '`views`: views of pages and screens. `visitors`: different visitors. `sessions`: sessions with an event in the step. `events`: all events; in the report `events`, track events. `submissions`: submissions of forms.'

export const OverviewQuery = z.object(timeSteps)

export const ReportQuery = z.object({
  ...timeSteps,
  limit: integer({ min: 1, max: 100 })
    .default(10)
    .describe('The maximum number of rows. `other` has the sum of the rest.'),
})

const totals = z
  .object({
    views: shown.count('Views of pages and screens.', 120),
    visitors: shown.count('Different visitors.', 31),
    sessions: shown.count('Sessions.', 40),
    events: shown.count('All events.', 150),
  })
  .meta({ title: 'TrackingReportTotals', description: 'The numbers of the whole range.' })

const series = z
  .object({
    name: shown.word('TrackingReportSeriesName', seriesNames, meanings),
    points: z.array(z.array(z.int())).meta({
      description:
        'A pair for each step, the oldest first: the beginning of the step in Unix seconds, and the number.',
      examples: [[[1790000000 - (1790000000 % 3600), 120]]],
    }),
  })
  .meta({ title: 'TrackingReportSeries' })

export const TrackingOverview = z
  .object({
    totals,
    series: z
      .array(series)
      .describe(
        'The series `views`, `visitors`, `sessions` and `events`. A visitor counts in each step, so the steps may add up to more than the total.',
      ),
  })
  .meta({ title: 'TrackingOverview' })

export const TrackingReport = z
  .object({
    counted: shown.word('TrackingReportUnit', ['views', 'events', 'submissions'], 'What the numbers count.'),
    total: shown.count('The number of the whole range.', 120),
    series: series.meta({ title: 'TrackingReportSeries', description: 'The number of each step.' }),
    rows: z
      .array(
        z
          .object({
            key: shown.text(
              'The path, host, source, campaign, event name or name of the form. It has at most 200 characters.',
              '/pricing',
            ),
            n: shown.count('The number of the whole range.', 42),
          })
          .meta({ title: 'TrackingReportRow' }),
      )
      .describe('The rows with the highest numbers, the highest first.'),
    other: shown.count(
      'The part of `total` that is not in `rows`. On a UTC day, at most 1,000 keys are counted separately.',
      7,
    ),
  })
  .meta({ title: 'TrackingReport' })

export type OverviewQuery = z.output<typeof OverviewQuery>
const stepKind = literal('page', 'event')
  .meta({ title: 'FunnelStepKind' })
  .describe('`page`: a view of a page, by its path. `event`: a track event, by its name.')
const stepMatch = literal('is', 'starts_with', 'contains')
  .default('is')
  .meta({ title: 'FunnelStepMatch' })
  .describe('How the path or name is compared. Letter case matters.')

export const FunnelQuery = z
  .object({
    steps: list(
      nested({
        kind: stepKind,
        value: text({ min: 1, max: 200 }).describe('The path or the name, or a part of it.'),
        match: stepMatch,
      }).meta({ title: 'FunnelStepQuery' }),
      { min: 2, max: 5 },
    ).describe('Two to five steps, in their order.'),
    from: timestamp()
      .optional()
      .describe('Unix seconds. By default 30 days before `to`; at most 92 days before it.'),
    to: timestamp().optional().describe('Unix seconds. The end, which is not included. By default now.'),
    window_days: integer({ min: 1, max: 92 })
      .default(7)
      .describe('All steps of a visitor must happen within this many days.'),
  })
  .meta({ title: 'FunnelQuery' })

export const Funnel = z
  .object({
    from: shown.time('The beginning of the range.'),
    to: shown.time('The end of the range, which is not included.'),
    steps: z
      .array(
        z
          .object({
            kind: shown.word('FunnelStepKind', ['page', 'event'], 'What the step matches.'),
            value: shown.text('The path or the name, or a part of it.', '/pricing'),
            match: shown.word('FunnelStepMatch', ['is', 'starts_with', 'contains'], 'How it is compared.'),
            visitors: shown.count('The visitors who did this step, and all steps before it, in order.', 12),
          })
          .meta({ title: 'FunnelStep' }),
      )
      .describe('The steps, in their order.'),
  })
  .meta({ title: 'Funnel' })

export type FunnelQuery = z.output<typeof FunnelQuery>
export type Funnel = z.output<typeof Funnel>
export type ReportQuery = z.output<typeof ReportQuery>
export type TrackingReport = z.output<typeof TrackingReport>
export type TrackingOverview = z.output<typeof TrackingOverview>
