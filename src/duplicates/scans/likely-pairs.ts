import { forEachCandidate } from '../../matching/candidates.ts'
import { itemAt, uint32At } from '../../matching/element-at.ts'
import { type FeatureTable, hasSeveralParts } from '../../matching/feature-table.ts'
import { type FieldKind, fieldsOf } from '../../matching/fields/plan.ts'
import { FoundPairs, type Scored, type ScoreShard, type Scoring, scoreAll } from '../../matching/scoring.ts'
import { threadLimits } from './threads.ts'

/**
 * Fields whose values belong to one person or company. Records with a common value are always compared. Phones are
 * left out, because offices share them.
 */
const ownedByOne: ReadonlySet<FieldKind> = new Set(['email', 'linkedin', 'external_id', 'domain'])

/**
 * A quick check whether records share a value of a field. It is never false if they do, and rarely true if they do
 * not.
 */
function mayShare({ cells, width, columns }: FeatureTable, field: number, a: number, b: number): boolean {
  const left = uint32At(cells, a * width + field)
  const right = uint32At(cells, b * width + field)
  if (left === 0 || right === 0) return false
  const column = itemAt(columns, field)
  return left === right || hasSeveralParts(column, left) || hasSeveralParts(column, right)
}

/** Finds the likely pairs of a shard (`likelyPairs`). */
export const likelyPairsOfShard: ScoreShard = (scoring, weigher, [from, to]) => {
  const owned = fieldsOf(scoring.schema).flatMap(({ kind }, field) => (ownedByOne.has(kind) ? [field] : []))
  const found = new FoundPairs()
  let pairs = 0
  forEachCandidate(scoring.candidates, from, to, (a, b) => {
    pairs++
    let weight = weigher.weigh(a, b, scoring.floor)
    if (weight < scoring.floor) {
      if (!owned.some((field) => mayShare(scoring.table, field, a, b))) return
      weight = weigher.weigh(a, b)
      if (weight < scoring.floor && !owned.some((field) => weigher.levels[field] === 0)) return
    }
    found.add(a, b, weight)
  })
  return { edges: found.edges, pairs }
}

/**
 * Finds pairs that weigh at least `floor` bits, or that share a value of one person or company. The result does not
 * depend on the number of threads.
 * @param onShare called with the share of completed work (0 to 1)
 */
export function likelyPairs(
  scoring: Scoring,
  threads: number,
  onShare: (share: number) => void,
): Promise<Scored> {
  const module = new URL('./pairs-thread.ts', import.meta.url)
  return scoreAll(scoring, likelyPairsOfShard, { count: threads, module, limits: threadLimits, onShare })
}
