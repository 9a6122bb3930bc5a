import { type Blocks, forEachPair, pairsWithin } from './blocks.ts'

// Below some 1,400 records every pair is compared: no key can miss any.
const everyPairMost = 1_000_000

/** The pairs of records that are worth comparing: those that share a key, or in a small set each and every one. */
export type Candidates = { records: number; every: boolean; blocks: Blocks }

export function candidatesOf(records: number, blocks: Blocks): Candidates {
  return { records, every: allPairs(records) <= everyPairMost, blocks }
}

/** How many pairs so many records make. */
export const allPairs = (records: number): number => (records * (records - 1)) / 2

/** Candidates come in so many runs: blocks, or records with those after them. */
export const runsOf = ({ records, every, blocks }: Candidates): number => (every ? records : blocks.size)

/** Calls back with each pair of the runs `from` to `to` − 1, `a` < `b`; over all runs each pair comes once. */
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

/** Runs cut into pieces of about as many pairs, in order: `[from, to]` each. */
export function shards(candidates: Candidates, pairs: number): [from: number, to: number][] {
  const runs = runsOf(candidates)
  const cut: [number, number][] = []
  let from = 0
  let sum = 0
  for (let run = 0; run < runs; run += 1) {
    sum += candidates.every ? candidates.records - run - 1 : pairsWithin(candidates.blocks, run, run + 1)
    if (sum < pairs) continue
    cut.push([from, run + 1])
    from = run + 1
    sum = 0
  }
  if (from < runs) cut.push([from, runs])
  return cut
}
