import { forEachCandidate } from '../matcher/candidates.ts'
import { type FeatureTable, holdsSeveral } from '../matcher/feature-table.ts'
import { type FieldKind, fieldsOf } from '../matcher/fields/plan.ts'
import { FoundPairs, type Scored, type ScoreShard, type Scoring, scoreAll } from '../matcher/scoring.ts'
import { threadLimits } from './scan-worker.ts'

/** What belongs to one alone: whoever shares it is looked at, however little else they have in common. Offices share phones. */
const ownedByOne: ReadonlySet<FieldKind> = new Set(['email', 'linkedin', 'external_id', 'domain'])

/** Whether two records may have a value of a field in common: always if they have, and hardly ever if they have not. */
function mayShare({ cells, width, columns }: FeatureTable, field: number, a: number, b: number): boolean {
  const left = cells[a * width + field]!
  const right = cells[b * width + field]!
  if (left === 0 || right === 0) return false
  return left === right || holdsSeveral(columns[field]!, left) || holdsSeveral(columns[field]!, right)
}

/** The pairs of a shard that may be the same. */
export const likelyOf: ScoreShard = (scoring, weigher, [from, to]) => {
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
 * The pairs among all candidates that may be the same: of at least `floor` bits, or with something in common that belongs
 * to one alone. The same for any number of threads. @param onShare told which share (0 to 1) is done
 */
export function likelyPairs(
  scoring: Scoring,
  threads: number,
  onShare: (share: number) => void,
): Promise<Scored> {
  const module = new URL('./pairs-thread.ts', import.meta.url)
  return scoreAll(scoring, likelyOf, { count: threads, module, limits: threadLimits, onShare })
}
