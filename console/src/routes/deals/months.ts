import { locale } from '../../parts/locale.ts'

const format = new Intl.DateTimeFormat(locale, { month: 'short', year: 'numeric', timeZone: 'UTC' })

/** For example “Nov 2026”, for `2026-11`. */
export const monthName = (month: string): string => format.format(Date.parse(`${month}-01`))

/** The month before the current one by a number of months, in UTC: `2026-11`. */
export function monthsBefore(n: number): string {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - n, 1)).toISOString().slice(0, 7)
}
