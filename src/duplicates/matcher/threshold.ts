import { clusterEdges, type Edges } from './cluster.ts'
import type { Cluster } from './schema.ts'
import { probabilityOf } from './weigh.ts'

// Bits: from a probability of .06 to one of .996. Of equally good ones the first is taken.
const lowest = -4
const tried = [0, 1, -1, 2, -2, 3, -3, 4, lowest, 5, 6, 7, 8]

/**
 * Cuts clusters where the model expects the best F1 of their pairs, and says which F1 that is (0 to 1): of the pairs
 * in clusters so many are expected to be right, and so many there are, in the widest clusters and outside of them
 * (after Lipton, Elkan and Naryanaswamy 2014).
 */
export function cutAtBestF1(
  records: number,
  edges: Edges,
  weightOf: (a: number, b: number) => number,
): { threshold: number; expectedF1: number; clusters: Cluster[] } {
  const cuts = tried.map((threshold) => ({
    threshold,
    clusters: clusterEdges(records, edges, { weightOf, threshold }),
  }))
  const all = Math.max(...cuts.map(({ clusters }) => sumOf(clusters, ({ expectedPairs }) => expectedPairs)))
  const outside = expectedOutside(records, edges, cuts[tried.indexOf(lowest)]!.clusters)
  const scored = cuts.map((cut) => {
    const right = sumOf(cut.clusters, ({ expectedPairs }) => expectedPairs)
    const pairs = sumOf(cut.clusters, ({ members }) => (members.length * (members.length - 1)) / 2)
    return { ...cut, expectedF1: pairs === 0 ? 0 : (2 * right) / (pairs + all + outside) }
  })
  return scored.reduce((best, cut) => (cut.expectedF1 > best.expectedF1 ? cut : best))
}

const sumOf = (clusters: readonly Cluster[], amount: (cluster: Cluster) => number): number =>
  clusters.reduce((sum, cluster) => sum + amount(cluster), 0)

/** How many matches are expected among the edges across clusters. */
function expectedOutside(records: number, edges: Edges, clusters: readonly Cluster[]): number {
  const clusterOf = new Int32Array(records).fill(-1)
  for (const [place, { members }] of clusters.entries())
    for (const member of members) clusterOf[member] = place
  let sum = 0
  for (const [edge, weight] of edges.weights.entries()) {
    const [left, right] = [clusterOf[edges.a[edge]!]!, clusterOf[edges.b[edge]!]!]
    if (left < 0 || left !== right) sum += probabilityOf(weight)
  }
  return sum
}
