import { allPairs } from './candidates.ts'
import { clusterEdges, type Edges } from './cluster.ts'
import { int32At, itemAt, uint32At } from './element-at.ts'
import type { Cluster } from './schema.ts'
import { probabilityOf } from './weigh.ts'

// In bits, for probabilities of .06 to .996. The first of equally good thresholds is used.
const thresholdMin = -4
const triedThresholds = [0, 1, -1, 2, -2, 3, -3, 4, thresholdMin, 5, 6, 7, 8]

/**
 * Chooses the threshold with the best expected F1 of the pairs in clusters (after Lipton, Elkan and Naryanaswamy
 * 2014). Right pairs are the expected matches in clusters; all matches include those outside.
 * @returns the clusters and their expected F1 (0 to 1)
 */
export function cutAtBestF1(
  records: number,
  edges: Edges,
  weightOf: (a: number, b: number) => number,
): { threshold: number; expectedF1: number; clusters: Cluster[] } {
  const cuts = triedThresholds.map((threshold) => ({
    threshold,
    clusters: clusterEdges(records, edges, { weightOf, threshold }),
  }))
  const all = Math.max(...cuts.map(({ clusters }) => sumOf(clusters, ({ expectedPairs }) => expectedPairs)))
  const outside = expectedMatchesOutside(
    records,
    edges,
    itemAt(cuts, triedThresholds.indexOf(thresholdMin)).clusters,
  )
  const scored = cuts.map((cut) => {
    const right = sumOf(cut.clusters, ({ expectedPairs }) => expectedPairs)
    const pairs = sumOf(cut.clusters, ({ members }) => allPairs(members.length))
    return { ...cut, expectedF1: pairs === 0 ? 0 : (2 * right) / (pairs + all + outside) }
  })
  return scored.reduce((best, cut) => (cut.expectedF1 > best.expectedF1 ? cut : best))
}

const sumOf = (clusters: readonly Cluster[], amount: (cluster: Cluster) => number): number =>
  clusters.reduce((sum, cluster) => sum + amount(cluster), 0)

/** Returns the expected matches among the edges between clusters. */
function expectedMatchesOutside(records: number, edges: Edges, clusters: readonly Cluster[]): number {
  const clusterOf = new Int32Array(records).fill(-1)
  for (const [place, { members }] of clusters.entries())
    for (const member of members) clusterOf[member] = place
  let sum = 0
  for (const [edge, weight] of edges.weights.entries()) {
    const [left, right] = [
      int32At(clusterOf, uint32At(edges.a, edge)),
      int32At(clusterOf, uint32At(edges.b, edge)),
    ]
    if (left < 0 || left !== right) sum += probabilityOf(weight)
  }
  return sum
}
