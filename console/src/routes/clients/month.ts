import { locale } from '../../parts/locale.ts'

const words = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' })
const monthsShown = 12

/** This month in UTC, as YYYY-MM. */
export const thisMonth = (): string => new Date().toISOString().slice(0, 7)

/** The last 12 months, newest first, with their words: “November 2026”. Begins with `chosen` if it is older. */
export function monthOptions(chosen: string): (readonly [month: string, words: string])[] {
  const [year = 0, month = 0] = thisMonth().split('-').map(Number)
  const last = Array.from({ length: monthsShown }, (_, back) =>
    new Date(Date.UTC(year, month - 1 - back)).toISOString().slice(0, 7),
  )
  const all = last.includes(chosen) ? last : [chosen, ...last]
  return all.map((one) => [one, words.format(Date.parse(`${one}-01`))] as const)
}
