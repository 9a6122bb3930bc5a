import { UsageError } from '../exit.ts'
import type { Parameter } from './operation.ts'

/** Returns the value of a flag for the API. @throws UsageError if the text is not a value of this kind */
export function parsedValue(
  { name, kind }: Parameter,
  given: string | boolean | string[],
  now = Date.now(),
): unknown {
  const flag = `--${name.replaceAll('_', '-')}`
  if (kind === 'boolean') return given
  if (kind === 'list') return [given].flat().flatMap((text) => listOf(flag, String(text)))
  const text = String(given)
  if (kind === 'time') return secondsOf(flag, text, now)
  if (kind === 'day') return relativeDay.test(text) ? text : secondsOf(flag, text, now)
  if (kind === 'json') return parsedJson(flag, text)
  if (kind === 'text') return text
  const number = Number(text)
  if (text.trim() === '' || !Number.isFinite(number) || (kind === 'integer' && !Number.isInteger(number)))
    throw new UsageError(`${flag} must be a ${kind === 'integer' ? 'whole ' : ''}number, not "${text}".`)
  return number
}

/** A day that the server counts from today. Without a sign, `30d` is a time ago, as in every flag for a time. */
const relativeDay = /^(today|[-+]\d+[dwmy])$/

/** One item, or a JSON list of items. */
const listOf = (flag: string, text: string): unknown[] =>
  text.startsWith('[') ? [parsedJson(flag, text)].flat() : [text]

/** Parses the JSON of a flag. @throws UsageError */
export function parsedJson(flag: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(`${flag} must be JSON, such as '{"name": "value"}'.`)
  }
}

const units: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }

/** Unix seconds, a date or time in ISO 8601, or a time ago such as `2h`. @throws UsageError */
export function secondsOf(flag: string, text: string, now = Date.now()): number {
  if (/^\d+$/.test(text)) return Number(text)
  const [, count, unit] = /^(\d+)([smhdw])$/.exec(text) ?? []
  if (count !== undefined) return Math.floor(now / 1000) - Number(count) * (units[unit ?? ''] ?? 1)
  const time = /^\d{4}-\d\d/.test(text) ? Date.parse(text) : Number.NaN
  if (!Number.isNaN(time)) return Math.floor(time / 1000)
  throw new UsageError(
    `${flag} must be a time: Unix seconds, a date such as 2026-11-26 or 2026-11-26T09:00:00Z, or 2h for two hours ago; not "${text}".`,
  )
}
