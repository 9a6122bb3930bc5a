import { itemAt, numberAt, uint32At } from './element-at.ts'
import type { FeatureTable } from './feature-table.ts'
import type { Rates } from './schema.ts'

// The assumed count of a value that no other record has. If the mean value is rarer, the assumed count is lower.
const unseenCount = 0.5

/**
 * For each field and value, the share (0 to 1) of other records with that value: the probability that two records
 * agree by chance. The two compared records do not count.
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
 * The share of a value: `count` of `filled` records have it, among them the two compared ones. `chance` is the mean
 * share.
 */
function shareOf(count: number, filled: number, chance: number): number {
  const others = Math.max(0, count - 2) + Math.min(unseenCount, chance * filled)
  return Math.min(1, others / Math.max(filled, 1))
}
