import type { Interval } from './resolve.ts'

/** A part of the time of a visitor. Times are Unix milliseconds; null: without a bound. */
export type Period = { from: number | null; until: number | null }

/** The time of a link, with its `userId`. An accepted claim may have one that the contact does not have. null: none. */
export type LinkPeriod = Period & { userKey: string | null }

/**
 * The times in which the anonymous events of a visitor belong to one person. In each time, `linked` comes before `claimed`
 * and `own`.
 */
export type PersonPeriods = {
  /** An API key, a proof or a person of the organization named the person. */
  linked: LinkPeriod[]
  /** Only a browser named the person. */
  claimed: Period[]
  /** The contact of the person was made from statements of the visitor. Events with a claimed `userId` belong to it as well. */
  own: Period[]
}

export const noPeriods: PersonPeriods = { linked: [], claimed: [], own: [] }
export const always: LinkPeriod = { from: null, until: null, userKey: null }

/** The times that lie in none of the intervals. @param intervals oldest first, without overlap */
export function outside(intervals: readonly Pick<Interval, 'from' | 'until'>[]): Period[] {
  const gaps: Period[] = []
  let from: number | null = null
  for (const interval of intervals) {
    if (from === null || from < interval.from) gaps.push({ from, until: interval.from })
    if (interval.until === null) return gaps
    from = interval.until
  }
  return [...gaps, { from, until: null }]
}

/** Whether a time lies in one of the periods. */
export const isInside = (periods: readonly Period[], at: number): boolean =>
  periods.some(({ from, until }) => (from === null || from <= at) && (until === null || at < until))
