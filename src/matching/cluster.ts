import { float64At, int32At, numberAt, uint32At } from './element-at.ts'
import type { Cluster } from './schema.ts'
import { probabilityOf } from './weigh.ts'

/** The maximum number of members of a cluster. */
export const clusterSizeMax = 50

/** Pairs of records with their weights. Pair `i` joins `a[i]` and `b[i]`. */
export type Edges = { a: Uint32Array; b: Uint32Array; weights: Float64Array }

type ClusterOptions = {
  /** The minimum weight of an edge, and the minimum mean weight between joined clusters, in bits. Default 0. */
  threshold?: number
  /** The weight of any pair `a` < `b`, with or without an edge (`edgeWeights`). */
  weightOf?: (a: number, b: number) => number
}

const noEdge = -4
const recordsMax = 2 ** 26

/**
 * Clusters records by average link (Sokal and Michener 1958), from the heaviest edge to the lightest; equal edges are
 * ordered by index. An edge joins two clusters if the mean weight of all pairs between them reaches the threshold. A
 * cluster has at most 50 members. The result lists clusters in the order of their first members.
 */
export function clusterEdges(records: number, edges: Edges, options: ClusterOptions = {}): Cluster[] {
  const { threshold = 0 } = options
  const weightOf = options.weightOf ?? edgeWeights(edges, () => noEdge)
  const clusterOf = new Int32Array(records).fill(-1)
  const clusters: Cluster[] = []

  const join = (a: number, b: number, weight: number): void => {
    const [left, right] = [int32At(clusterOf, a), int32At(clusterOf, b)]
    if (left >= 0 && left === right) return
    const leftMembers = clusters[left]?.members ?? [a]
    const rightMembers = clusters[right]?.members ?? [b]
    if (leftMembers.length + rightMembers.length > clusterSizeMax) return
    const mean = meanAcross(leftMembers, rightMembers, weightOf)
    if (mean < threshold) return
    const weakest = Math.min(weight, clusters[left]?.weakest ?? weight, clusters[right]?.weakest ?? weight)
    // This estimate assumes that all pairs between two clusters are right, or all are wrong.
    const across = leftMembers.length * rightMembers.length * probabilityOf(mean)
    const expectedPairs =
      across + (clusters[left]?.expectedPairs ?? 0) + (clusters[right]?.expectedPairs ?? 0)
    const members = [...leftMembers, ...rightMembers]
    const place = left >= 0 ? left : right >= 0 ? right : clusters.length
    if (left >= 0 && right >= 0) clusters[right] = { members: [], weakest: 0, expectedPairs: 0 }
    clusters[place] = { members, weakest, expectedPairs }
    for (const member of members) clusterOf[member] = place
  }

  for (const edge of heaviestFirst(edges, threshold))
    join(uint32At(edges.a, edge), uint32At(edges.b, edge), float64At(edges.weights, edge))
  return clusters
    .filter(({ members }) => members.length > 0)
    .map((cluster) => ({ ...cluster, members: cluster.members.sort((x, y) => x - y) }))
    .sort((x, y) => numberAt(x.members, 0) - numberAt(y.members, 0))
}

function heaviestFirst({ a, b, weights }: Edges, threshold: number): Uint32Array {
  let count = 0
  for (const weight of weights) if (weight >= threshold) count += 1
  const order = new Uint32Array(count)
  let at = 0
  for (let edge = 0; edge < weights.length; edge += 1)
    if (float64At(weights, edge) >= threshold) order[at++] = edge
  return order.sort(
    (x, y) =>
      float64At(weights, y) - float64At(weights, x) ||
      uint32At(a, x) - uint32At(a, y) ||
      uint32At(b, x) - uint32At(b, y),
  )
}

function meanAcross(
  left: readonly number[],
  right: readonly number[],
  weightOf: (a: number, b: number) => number,
): number {
  // Add in the order of indexes: another order could round differently.
  let sum = 0
  for (const a of left.toSorted((x, y) => x - y)) {
    for (const b of right.toSorted((x, y) => x - y)) sum += a < b ? weightOf(a, b) : weightOf(b, a)
  }
  return sum / (left.length * right.length)
}

/**
 * Returns a function that gives the weight of a pair `x` < `y`. A pair without an edge has the weight that
 * `otherwise` returns.
 */
export function edgeWeights(
  { a, b, weights }: Edges,
  otherwise: (x: number, y: number) => number,
): (x: number, y: number) => number {
  const known = new Map<number, number>()
  const nameOf = (x: number, y: number): number => x * recordsMax + y
  for (let edge = 0; edge < weights.length; edge += 1)
    known.set(nameOf(uint32At(a, edge), uint32At(b, edge)), float64At(weights, edge))
  return (x, y) => {
    const name = nameOf(x, y)
    const weight = known.get(name) ?? otherwise(x, y)
    known.set(name, weight)
    return weight
  }
}
