import { allPairs } from './candidates.ts'

/** Returns the probability (0 to 0.5) that two records match, if a record has `partners` matches on average. */
export function priorOf(partners: number, records: number): number {
  const least = 0.25 / Math.max(1, allPairs(records))
  return Math.min(0.5, Math.max(least, partners / Math.max(1, records - 1)))
}
