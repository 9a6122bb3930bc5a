import { groupRecords } from './blocks.ts'
import { type Candidates, candidatesOf } from './candidates.ts'
import { clusterEdges, type Edges, edgeWeights } from './cluster.ts'
import { itemAt } from './element-at.ts'
import { normalizationVersion } from './normalize.ts'
import type { RecordSet } from './record-set.ts'
import type { Cluster, Model } from './schema.ts'
import { scorePairs } from './score-pairs.ts'
import { scoringOf, weigherOf } from './scoring.ts'
import { cutAtBestF1 } from './threshold.ts'
import { trainRates } from './train.ts'
import type { Weigher } from './weigh.ts'

export type MatchOptions = {
  /** The model; by default, one is trained on the set. */
  model?: Model
  /** The number of threads; 1 by default. It does not change the result. */
  threads?: number
  /**
   * The minimum weight that joins records, in bits (log2 odds). By default the threshold with the best expected F1.
   */
  threshold?: number
}

export type Matches = {
  /** The pairs that reach the given threshold; by default −6 bits (a probability of .015). */
  edges: Edges
  clusters: Cluster[]
  threshold: number
  expectedF1: number | null
  model: Model
  /** Weighs any two records of the set. */
  weigher: Weigher
}

const floorMin = -6
/** The version of a model that `matchRecords` trained itself. */
export const trainedModelVersion = 'trained on the set'

/**
 * Finds the records of a set that are the same.
 * @throws Error if the given model does not fit the set
 */
export async function matchRecords(set: RecordSet, options: MatchOptions = {}): Promise<Matches> {
  const { table, kinds } = set
  const candidates = candidatesOf(table.size, groupRecords(table, kinds))
  const model = options.model ?? trainModel(set, candidates)
  const scoring = scoringOf(set, candidates, model, options.threshold ?? floorMin)
  const edges = await scorePairs(scoring, options.threads ?? 1)
  const weigher = weigherOf(scoring)
  const weightOf = edgeWeights(edges, (a, b) => weigher.weigh(a, b))
  const { threshold } = options
  if (threshold !== undefined) {
    const clusters = clusterEdges(table.size, edges, { weightOf, threshold })
    return { edges, clusters, threshold, expectedF1: null, model, weigher }
  }
  return { edges, ...cutAtBestF1(table.size, edges, weightOf), model, weigher }
}

function trainModel(set: RecordSet, candidates: Candidates): Model {
  const { rates, lambda } = trainRates(set.fields, set.table, set.kinds, candidates)
  return {
    version: trainedModelVersion,
    normalizationVersion,
    schema: set.schema,
    partners: lambda * Math.max(1, set.table.size - 1),
    rates: Object.fromEntries(set.fields.map(({ name }, field) => [name, itemAt(rates, field)])),
  }
}
