import type { Cluster } from './schema.ts'
import { probabilityOf } from './weigh.ts'

export const clusterMost = 50

/** Pairs of records with their weights: `a[i]`, `b[i]`, `weights[i]`. */
export type Edges = { a: Uint32Array; b: Uint32Array; weights: Float64Array }

type ClusterOptions = {
  /** Only edges of at least so many bits join anything, and a cluster's mean must not be below it. Default 0. */
  threshold?: number
  /** The weight of a pair that is no edge. Default: −4 bits, for a pair that no key brought together is hardly one. */
  weightOf?: (a: number, b: number) => number
}

const noEdge = -4
const recordsMost = 2 ** 26

/**
 * Clusters of records by average link (Sokal and Michener 1958): edges from the heaviest on, each of which joins the
 * clusters at its ends when the mean weight of all pairs across them reaches the threshold, and they have at most 50
 * members together. Ties go by the places of records, the order of edges has no influence. Clusters come in the order of
 * their first member.
 */
export function clusterEdges(records: number, edges: Edges, options: ClusterOptions = {}): Cluster[] {
  const { threshold = 0 } = options
  const weightOf = options.weightOf ?? lookUp(edges, () => noEdge)
  const clusterOf = new Int32Array(records).fill(-1)
  const clusters: Cluster[] = []

  const join = (a: number, b: number, weight: number): void => {
    const [left, right] = [clusterOf[a]!, clusterOf[b]!]
    if (left >= 0 && left === right) return
    const leftMembers = clusters[left]?.members ?? [a]
    const rightMembers = clusters[right]?.members ?? [b]
    if (leftMembers.length + rightMembers.length > clusterMost) return
    const mean = meanAcross(leftMembers, rightMembers, weightOf)
    if (mean < threshold) return
    const weakest = Math.min(weight, clusters[left]?.weakest ?? weight, clusters[right]?.weakest ?? weight)
    // Pairs across stand or fall together.
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
    join(edges.a[edge]!, edges.b[edge]!, edges.weights[edge]!)
  return clusters
    .filter(({ members }) => members.length > 0)
    .map((cluster) => ({ ...cluster, members: cluster.members.sort((x, y) => x - y) }))
    .sort((x, y) => x.members[0]! - y.members[0]!)
}

function heaviestFirst({ a, b, weights }: Edges, threshold: number): Uint32Array {
  let count = 0
  for (const weight of weights) if (weight >= threshold) count += 1
  const order = new Uint32Array(count)
  let at = 0
  for (let edge = 0; edge < weights.length; edge += 1) if (weights[edge]! >= threshold) order[at++] = edge
  return order.sort((x, y) => weights[y]! - weights[x]! || a[x]! - a[y]! || b[x]! - b[y]!)
}

function meanAcross(
  left: readonly number[],
  right: readonly number[],
  weightOf: (a: number, b: number) => number,
): number {
  // Summed in the order of places: what is added in another order may end in other last digits.
  let sum = 0
  for (const a of left.toSorted((x, y) => x - y)) {
    for (const b of right.toSorted((x, y) => x - y)) sum += a < b ? weightOf(a, b) : weightOf(b, a)
  }
  return sum / (left.length * right.length)
}

/** The weight of a pair, `x` < `y`, that is an edge; of another what `otherwise` says, which is asked once a pair. */
export function lookUp(
  { a, b, weights }: Edges,
  otherwise: (x: number, y: number) => number,
): (x: number, y: number) => number {
  const known = new Map<number, number>()
  const nameOf = (x: number, y: number): number => x * recordsMost + y
  for (let edge = 0; edge < weights.length; edge += 1) known.set(nameOf(a[edge]!, b[edge]!), weights[edge]!)
  return (x, y) => {
    const name = nameOf(x, y)
    const weight = known.get(name) ?? otherwise(x, y)
    known.set(name, weight)
    return weight
  }
}
