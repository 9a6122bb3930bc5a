import { locale, whenUsed } from './locale.ts'

const monthFormat = (month: 'short' | 'long') =>
  whenUsed(() => new Intl.DateTimeFormat(locale, { month, year: 'numeric', timeZone: 'UTC' }))
const formats = { short: monthFormat('short'), long: monthFormat('long') }

/** For example “Nov 2026” or “November 2026”, for `2026-11`. */
export const monthName = (month: string, length: 'short' | 'long'): string =>
  formats[length]().format(Date.parse(`${month}-01`))

/** The month before the current one by a number of months, in UTC: `2026-11`. */
export function monthBefore(n: number): string {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - n)).toISOString().slice(0, 7)
}
