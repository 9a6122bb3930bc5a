import { forEachCandidate } from './candidates.ts'
import type { Edges } from './cluster.ts'
import { FoundPairs, type ScoreShard, type Scoring, scoreAll } from './scoring.ts'

/** Weighs the candidates of a shard, and returns the candidates that reach the floor. */
export const scoreShard: ScoreShard = (scoring, weigher, [from, to]) => {
  const found = new FoundPairs()
  let pairs = 0
  forEachCandidate(scoring.candidates, from, to, (a, b) => {
    pairs++
    const weight = weigher.weigh(a, b, scoring.floor)
    if (weight >= scoring.floor) found.add(a, b, weight)
  })
  return { edges: found.edges, pairs }
}

/** Returns the candidates whose weight reaches the floor. The result does not depend on the number of threads. */
export async function scorePairs(scoring: Scoring, threads: number): Promise<Edges> {
  const module = new URL('./score-thread.ts', import.meta.url)
  const { edges } = await scoreAll(scoring, scoreShard, { count: threads, module })
  return edges
}
