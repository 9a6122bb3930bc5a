import { z } from 'zod'
import * as shown from '../platform/http/shown.ts'
import { timeSteps } from '../platform/http/time-steps.ts'

export const seriesNames = [
  ...(['requests', 'rate_limited', 'calls', 'call_minutes', 'events'] as const),
  ...(['webhooks_delivered', 'webhooks_failed'] as const),
] as const

export type SeriesName = (typeof seriesNames)[number]

export const UsageQuery = z.object(timeSteps)

export const Usage = z
  .object({
    series: z
      .array(
        z
          .object({
            name: shown.word(
              'UsageSeriesName',
              seriesNames,
              '`requests`: all accepted requests. `rate_limited`: those with the answer 429. `calls`: placed calls. `call_minutes`: their minutes, each call rounded up. `events`: changes. `webhooks_delivered`, `webhooks_failed`: requests to webhook endpoints, by their outcome.',
            ),
            points: z.array(z.array(z.int())).meta({
              description:
                'A pair for each step, the oldest first: the beginning of the step in Unix seconds, and the number.',
              examples: [[[1790000000 - (1790000000 % 3600), 120]]],
            }),
          })
          .meta({ title: 'UsageSeries' }),
      )
      .describe('All series have the same steps.'),
  })
  .meta({ title: 'Usage' })

export type UsageQuery = z.output<typeof UsageQuery>
export type Usage = z.output<typeof Usage>
