import { clusterEdges, type Edges } from './cluster.ts'
import { decidePair } from './decide.ts'
import { float64At, uint32At } from './element-at.ts'
import type { Matches } from './match.ts'
import type { RecordSet } from './record-set.ts'
import type { Cluster, Limits } from './schema.ts'

/**
 * Clusters to merge without a review. Only pairs with the decision `auto` (`decidePair`) join records, and only if
 * the mean weight of all pairs between the two joined parts is at least 0 bits.
 */
export function automaticClusters(
  { fields, table }: RecordSet,
  matches: Matches,
  limits?: Limits,
): Cluster[] {
  const { edges, weigher } = matches
  const chosen: number[] = []
  for (let edge = 0; edge < edges.weights.length; edge += 1) {
    const [a, b] = [uint32At(edges.a, edge), uint32At(edges.b, edge)]
    const bits = weigher.weigh(a, b)
    const { outcome } = decidePair(fields, weigher.levels, weigher.partsOf(a, b), bits, limits)
    if (outcome === 'auto') chosen.push(edge)
  }
  return clusterEdges(table.size, selectEdges(edges, chosen), { weightOf: (a, b) => weigher.weigh(a, b) })
}

function selectEdges({ a, b, weights }: Edges, chosen: readonly number[]): Edges {
  return {
    a: Uint32Array.from(chosen, (edge) => uint32At(a, edge)),
    b: Uint32Array.from(chosen, (edge) => uint32At(b, edge)),
    weights: Float64Array.from(chosen, (edge) => float64At(weights, edge)),
  }
}
