import { literal, refuse, timestamp } from './fields.ts'
import { detailAt, ValidationError } from './validation.ts'

const daySeconds = 86_400
const steps = {
  hour: { seconds: 3_600, daysMax: 31, daysByDefault: 1 },
  day: { seconds: daySeconds, daysMax: 400, daysByDefault: 30 },
} as const

/** The fields of a query that choose the hours or days of a report. */
export const timeSteps = {
  from: timestamp()
    .optional()
    .describe('Unix seconds. By default 24 hours before `to`, or 30 days before it with `step=day`.'),
  to: timestamp().optional().describe('Unix seconds. The end, which is not included. By default now.'),
  step: literal('hour', 'day')
    .default('hour')
    .meta({ title: 'UsageStep' })
    .describe('The length of a step. Days begin at midnight UTC.'),
}

export type TimeSteps = { from?: number | undefined; to?: number | undefined; step: 'hour' | 'day' }

/** In Unix seconds. `last` is the end of the last step. Both are at the border of a step. */
export type StepRange = { first: number; last: number; seconds: number }

/** Returns the complete steps of a query. @throws ValidationError at from */
export function stepRangeOf({ from, to, step }: TimeSteps): StepRange {
  const { seconds, daysMax, daysByDefault } = steps[step]
  // Include the step that is still in progress.
  const end = to ?? Math.floor(Date.now() / 1000) + 1
  const start = from ?? Math.max(0, end - daysByDefault * daySeconds)
  if (start >= end) throw refusal('`from` must be before `to`')
  if (end - start > daysMax * daySeconds + 1)
    throw refusal(
      step === 'hour'
        ? `at most ${daysMax} days by hour: move \`from\` and \`to\` closer, or send step=day`
        : `at most ${daysMax} days by day: move \`from\` and \`to\` closer`,
    )
  return { first: start - (start % seconds), last: Math.ceil(end / seconds) * seconds, seconds }
}

const refusal = (text: string) => new ValidationError([detailAt(['query', 'from'], refuse(text))])

/** A pair for each step, the oldest first: its beginning in Unix seconds, and its number. */
export function pointsOf(
  { first, last, seconds }: StepRange,
  numbers: ReadonlyMap<number, number> | undefined,
): number[][] {
  const points: number[][] = []
  for (let at = first; at < last; at += seconds) points.push([at, numbers?.get(at) ?? 0])
  return points
}
