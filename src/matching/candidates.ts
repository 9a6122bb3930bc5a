import { type Blocks, countPairs, forEachPair } from './blocks.ts'

// Up to this many pairs (about 1,400 records), all pairs are compared, so that no pair is missed for lack of a common
// key.
const everyPairMax = 1_000_000

/** Pairs that share a key, or all pairs of a small set. */
export type Candidates = { records: number; every: boolean; blocks: Blocks }

/** The candidates of a set: all pairs up to 1,000,000, otherwise the pairs that share a key. */
export function candidatesOf(records: number, blocks: Blocks): Candidates {
  return { records, every: allPairs(records) <= everyPairMax, blocks }
}

/** The number of pairs among this many records. */
export const allPairs = (records: number): number => (records * (records - 1)) / 2

/** A run is one block. If all pairs are compared, a run is one record with all later records. */
export const countRuns = ({ records, every, blocks }: Candidates): number => (every ? records : blocks.size)

/** Passes each pair `a` < `b` of the runs `from` to `to` − 1. Each pair belongs to one run. */
export function forEachCandidate(
  { records, every, blocks }: Candidates,
  from: number,
  to: number,
  take: (a: number, b: number) => void,
): void {
  if (!every) {
    forEachPair(blocks, from, to, take)
    return
  }
  for (let a = from; a < to; a += 1) for (let b = a + 1; b < records; b += 1) take(a, b)
}

/** A shard is a range of runs with about `pairs` pairs. */
export function divideIntoShards(candidates: Candidates, pairs: number): [from: number, to: number][] {
  const runs = countRuns(candidates)
  const cut: [number, number][] = []
  let from = 0
  let sum = 0
  for (let run = 0; run < runs; run += 1) {
    sum += candidates.every ? candidates.records - run - 1 : countPairs(candidates.blocks, run, run + 1)
    if (sum < pairs) continue
    cut.push([from, run + 1])
    from = run + 1
    sum = 0
  }
  if (from < runs) cut.push([from, runs])
  return cut
}
