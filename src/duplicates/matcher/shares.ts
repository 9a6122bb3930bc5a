import type { FeatureTable } from './feature-table.ts'
import type { Rates } from './schema.ts'

// A value that only the two compared records have may still be somebody else's: it counts as half another record, or
// as less where even the mean value is rarer than that.
const unseen = 0.5

/**
 * For each field and value id the share (0 to 1) of other records that have the value too: how probable it is that
 * two different records agree on it by chance. The two that are compared do not count as others, so a value that
 * only they have is rarer than any that a third one has.
 */
export function sharesOf({ columns }: FeatureTable, rates: readonly Rates[]): Float64Array[] {
  return columns.map(({ counts }, field) => {
    const chance = rates[field]!.u[0]!
    const filled = counts.reduce((sum, count) => sum + count, 0)
    const shares = new Float64Array(new SharedArrayBuffer(counts.length * 8))
    for (let id = 0; id < counts.length; id += 1) shares[id] = shareOf(counts[id]!, filled, chance)
    return shares
  })
}

/** The share for a value that `count` of `filled` records have, two of them being compared; `chance` is the mean. */
function shareOf(count: number, filled: number, chance: number): number {
  const others = Math.max(0, count - 2) + Math.min(unseen, chance * filled)
  return Math.min(1, others / Math.max(filled, 1))
}
