import type { Cluster } from '../../src/matching/schema.ts'

/**
 * Quality of pairs or records, 0 to 1. Precision: the share of found pairs that are right. Recall: the share of right
 * pairs that are found. F1: their harmonic mean.
 */
export type Quality = { precision: number; recall: number; f1: number }

const quality = (precision: number, recall: number): Quality => ({
  precision,
  recall,
  f1: precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall),
})

const pairsOf = (members: number): number => (members * (members - 1)) / 2

function sizes(values: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

export function pairwise(clusters: readonly Cluster[], truth: readonly string[]): Quality {
  let found = 0
  let right = 0
  for (const { members } of clusters) {
    found += pairsOf(members.length)
    for (const count of sizes(members.map((member) => truth[member]!)).values()) right += pairsOf(count)
  }
  const all = [...sizes(truth).values()].reduce((sum, count) => sum + pairsOf(count), 0)
  return quality(found === 0 ? 1 : right / found, all === 0 ? 1 : right / all)
}

/** B³: for each record, compares its cluster with its true group, and takes the mean (Bagga and Baldwin 1998). */
export function bCubed(clusters: readonly Cluster[], truth: readonly string[]): Quality {
  const all = sizes(truth)
  const clustered = new Set(clusters.flatMap(({ members }) => members))
  let precision = 0
  let recall = 0
  for (const [record, entity] of truth.entries()) {
    if (clustered.has(record)) continue
    precision += 1
    recall += 1 / all.get(entity)!
  }
  for (const { members } of clusters) {
    for (const [entity, count] of sizes(members.map((member) => truth[member]!))) {
      precision += (count * count) / members.length
      recall += (count * count) / all.get(entity)!
    }
  }
  return quality(precision / truth.length, recall / truth.length)
}
