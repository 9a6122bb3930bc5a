import { monthBefore, monthName } from '../../parts/months.ts'

const monthsShown = 12

/** This month in UTC, as YYYY-MM. */
export const thisMonth = (): string => monthBefore(0)

/** The last 12 months, newest first, each with its label, such as “November 2026”. Begins with `chosen` if it is older. */
export function monthOptions(chosen: string): (readonly [month: string, words: string])[] {
  const last = Array.from({ length: monthsShown }, (_, back) => monthBefore(back))
  const all = last.includes(chosen) ? last : [chosen, ...last]
  return all.map((one) => [one, monthName(one, 'long')] as const)
}
