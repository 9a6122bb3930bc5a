import { refuse } from '../../platform/http/fields.ts'
import { detailAt, ValidationError } from '../../platform/http/validation.ts'
import type { UsagePeriodQuery } from './schema.ts'

const hourSeconds = 3_600
const daySeconds = 86_400
const daysByDefault = 30
/** One quarter. Each client costs a read of all hours of the period. */
const daysMax = 92

/** In Unix seconds. `end` is not included. Both are at the beginning of an hour. */
export type Period = { first: number; end: number }

/** The complete hours of a query, or its month in UTC. @throws ValidationError at from or month */
export function periodOf({ from, to, month }: UsagePeriodQuery): Period {
  if (month !== undefined) {
    if (from !== undefined || to !== undefined) throw refusal('month', 'send `month`, or `from` and `to`')
    const [year = 0, number = 0] = month.split('-').map(Number)
    return { first: Date.UTC(year, number - 1) / 1000, end: Date.UTC(year, number) / 1000 }
  }
  // Include the hour that is still in progress.
  const last = to ?? Math.floor(Date.now() / 1000) + 1
  const start = from ?? Math.max(0, last - daysByDefault * daySeconds)
  if (start >= last) throw refusal('from', '`from` must be before `to`')
  if (last - start > daysMax * daySeconds + 1)
    throw refusal('from', `at most ${daysMax} days: move \`from\` and \`to\` closer`)
  return { first: start - (start % hourSeconds), end: Math.ceil(last / hourSeconds) * hourSeconds }
}

const refusal = (field: string, text: string) =>
  new ValidationError([detailAt(['query', field], refuse(text))])
