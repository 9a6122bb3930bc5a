import { itemAt, numberAt, uint32At } from './element-at.ts'
import type { FeatureTable } from './feature-table.ts'
import type { Rates } from './schema.ts'

// How often a value occurs outside of the two compared records, if no other record has it: half a time, or less if
// the mean value is rarer.
const unseenCount = 0.5

/**
 * For each field and value id, the share (0 to 1) of other records with that value. This is the probability that two
 * different records agree on it by chance. The two compared records are not counted. So a value that a third record
 * also has is more frequent than a value that only these two have.
 */
export function sharesOf({ columns }: FeatureTable, rates: readonly Rates[]): Float64Array[] {
  return columns.map(({ counts }, field) => {
    const chance = numberAt(itemAt(rates, field).u, 0)
    const filled = counts.reduce((sum, count) => sum + count, 0)
    const shares = new Float64Array(new SharedArrayBuffer(counts.length * 8))
    for (let id = 0; id < counts.length; id += 1) shares[id] = shareOf(uint32At(counts, id), filled, chance)
    return shares
  })
}

/**
 * The share of a value that `count` of `filled` records have, including the two compared records. `chance` is
 * the mean share.
 */
function shareOf(count: number, filled: number, chance: number): number {
  const others = Math.max(0, count - 2) + Math.min(unseenCount, chance * filled)
  return Math.min(1, others / Math.max(filled, 1))
}
