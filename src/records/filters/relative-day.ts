import type { z } from 'zod'
import { field, refuse } from '../../platform/http/fields.ts'
import { Refusal } from '../../platform/http/refusal.ts'
import type { Operator } from './tree.ts'

// A filter with a relative day, such as -30d, finds other records each day. Segments store it as it was sent.

// In a URL, a plus means a blank.
const form = /^(?:today|([+\- ])(\d{1,4})([dwmy]))$/
const unsigned = /^\d{1,4}[dwmy]$/

/** Returns whether a value is a day relative to today, such as `-30d`. */
export const isRelativeDay = (value: unknown): value is string =>
  typeof value === 'string' && form.test(value)

/** Refuses `30d`: some people would expect days ago, and others days from now. */
export const signMissing = (value: unknown): Refusal | null =>
  typeof value === 'string' && unsigned.test(value)
    ? refuse(`send a sign: -${value} is before today, and +${value} is after today`)
    : null

/**
 * Returns the day that a relative day means now, in UTC: `today`, `-30d`, `+2w`, `-6m` or `-1y`. A month that is too
 * short has its last day.
 * @returns YYYY-MM-DD; null if the value is not a relative day
 */
export function dayOf(value: unknown, now: Date = new Date()): string | null {
  const [found, sign, count = '0', unit = 'd'] = (isRelativeDay(value) && form.exec(value)) || []
  if (found === undefined) return null
  const number = sign === '-' ? -Number(count) : Number(count)
  const days = unit === 'd' ? number : unit === 'w' ? number * 7 : 0
  const months = unit === 'm' ? number : unit === 'y' ? number * 12 : 0
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth() + months]
  const lastOfMonth = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const date = new Date(Date.UTC(year, month, Math.min(now.getUTCDate(), lastOfMonth)))
  date.setUTCDate(date.getUTCDate() + days)
  return clamped(date)
}

/** Days outside of the years 1 to 9999 have no form YYYY-MM-DD. */
function clamped(date: Date): string {
  const year = date.getUTCFullYear()
  if (year < 1) return '0001-01-01'
  return year > 9999 ? '9999-12-31' : date.toISOString().slice(0, 10)
}

/** The first second of a day and of the next one, in Unix seconds. */
export function secondsOf(day: string): [from: number, next: number] {
  const from = Date.parse(`${day}T00:00:00Z`) / 1000
  return [from, from + 86_400]
}

/** A comparison of texts such as 2026-01-31T09:30:00Z that covers the whole day. `in` compares with its first second. */
export function momentsOf(op: Operator, day: string): [op: Operator, operand: string] {
  const start = (seconds: number) => `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`
  const [from, next] = secondsOf(day).map(start) as [string, string]
  switch (op) {
    case 'eq':
      return ['starts_with', `${day}T`]
    case 'gt':
      return ['gte', next]
    case 'lte':
      return ['lt', next]
    default:
      return [op, from]
  }
}

/** A schema that also accepts relative days. */
export function orRelativeDay<Value>(
  schema: z.ZodType<Value>,
  jsonSchema: { type: string | string[]; format?: string },
): z.ZodType<Value | string> {
  const read = (value: unknown) => {
    if (isRelativeDay(value)) return value
    const refused = signMissing(value)
    if (refused) return refused
    const { success, data, error } = schema.safeParse(value)
    if (success) return data
    const { params } = error.issues[0] as { params?: unknown }
    return params instanceof Refusal ? params : refuse('send a time or a day')
  }
  return field<Value | string>(read, jsonSchema as never)
}
