import { parentPort, type ResourceLimits, Worker } from 'node:worker_threads'
import { type Candidates, divideIntoShards } from './candidates.ts'
import type { Edges } from './cluster.ts'
import { itemAt } from './element-at.ts'
import type { FeatureTable } from './feature-table.ts'
import { fieldsOf } from './fields/plan.ts'
import { ratesFor } from './matcher.ts'
import { priorOf } from './prior.ts'
import type { RecordSet } from './record-set.ts'
import type { Model, Rates, Schema } from './schema.ts'
import { sharesOf } from './shares.ts'
import { log2Odds, Weigher } from './weigh.ts'

export type Scoring = {
  schema: Schema
  table: FeatureTable
  candidates: Candidates
  rates: readonly Rates[]
  shares: Float64Array[]
  /** The log2 odds that two random records match, in bits. */
  prior: number
  /** In bits. A pair with a lower weight is left out. */
  floor: number
}

/** The pairs that reach the floor, and the number of compared pairs. */
export type Scored = { edges: Edges; pairs: number }

/** A range of runs (`countRuns`) from `from` to before `to`. */
type Shard = readonly [from: number, to: number]

export type ScoreShard = (scoring: Scoring, weigher: Weigher, shard: Shard) => Scored

// A thread compares this many pairs in the time that it takes to start a thread.
const shardPairs = 200_000

/** @throws Error if the model does not fit the set */
export function scoringOf(
  { schema, fields, table }: RecordSet,
  candidates: Candidates,
  model: Model,
  floor: number,
): Scoring {
  const rates = ratesFor(fields, model)
  const prior = log2Odds(priorOf(model.partners, table.size))
  return { schema, table, candidates, rates, shares: sharesOf(table, rates), prior, floor }
}

/** A weigher for pairs of the scored records. */
export function weigherOf({ schema, table, rates, shares, prior }: Scoring): Weigher {
  return new Weigher(fieldsOf(schema), table, rates, shares, prior)
}

type Threads = {
  count: number
  /** A module that calls `answerShards` with the same `scoreShard`. */
  module: URL
  limits?: ResourceLimits
  /** The share of completed work, 0 to 1. */
  onShare?: (share: number) => void
}

type Task = { index: number; shard: Shard }
type Result = { index: number; scored: Scored }

/**
 * Scores all pairs. Neither the result nor its order depends on the number of threads.
 * @throws the error of the first thread that failed, after all threads ended
 */
export async function scoreAll(
  scoring: Scoring,
  scoreShard: ScoreShard,
  { count, module, limits = {}, onShare = () => {} }: Threads,
): Promise<Scored> {
  const work = divideIntoShards(scoring.candidates, shardPairs)
  if (count < 2 || work.length < 2) {
    const weigher = weigherOf(scoring)
    return joinScored(work.map((shard) => scoreShard(scoring, weigher, shard)))
  }
  const results = new Array<Scored>(work.length)
  const workers: Worker[] = []
  let [next, done] = [0, 0]
  const run = () =>
    new Promise<void>((resolve, reject) => {
      const worker = new Worker(module, { workerData: scoring, resourceLimits: limits })
      workers.push(worker)
      const give = () => {
        const index = next++
        worker.postMessage(
          index < work.length ? ({ index, shard: itemAt(work, index) } satisfies Task) : null,
        )
      }
      worker.on('message', ({ index, scored }: Result) => {
        results[index] = scored
        done++
        onShare(done / work.length)
        give()
      })
      worker.on('error', reject)
      worker.on('exit', () => resolve())
      give()
    })
  try {
    await Promise.all(Array.from({ length: Math.min(count, work.length) }, run))
  } finally {
    // If one thread fails, the others would score pairs that nobody reads.
    await Promise.all(workers.map((worker) => worker.terminate()))
  }
  return joinScored(results)
}

/** Runs in a thread: scores shards until none is left. */
export function answerShards(scoring: Scoring, scoreShard: ScoreShard): void {
  const weigher = weigherOf(scoring)
  parentPort?.on('message', (task: Task | null) => {
    if (task === null) {
      parentPort?.close()
      return
    }
    const scored = scoreShard(scoring, weigher, task.shard)
    const { a, b, weights } = scored.edges
    parentPort?.postMessage({ index: task.index, scored } satisfies Result, [
      a.buffer as ArrayBuffer,
      b.buffer as ArrayBuffer,
      weights.buffer as ArrayBuffer,
    ])
  })
}

/** Collects pairs and their weights. */
export class FoundPairs {
  readonly #a: number[] = []
  readonly #b: number[] = []
  readonly #weights: number[] = []

  add(a: number, b: number, weight: number): void {
    this.#a.push(a)
    this.#b.push(b)
    this.#weights.push(weight)
  }

  get edges(): Edges {
    return {
      a: Uint32Array.from(this.#a),
      b: Uint32Array.from(this.#b),
      weights: Float64Array.from(this.#weights),
    }
  }
}

function joinScored(parts: readonly Scored[]): Scored {
  const size = parts.reduce((sum, { edges }) => sum + edges.weights.length, 0)
  const edges = { a: new Uint32Array(size), b: new Uint32Array(size), weights: new Float64Array(size) }
  let at = 0
  for (const part of parts) {
    edges.a.set(part.edges.a, at)
    edges.b.set(part.edges.b, at)
    edges.weights.set(part.edges.weights, at)
    at += part.edges.weights.length
  }
  return { edges, pairs: parts.reduce((sum, { pairs }) => sum + pairs, 0) }
}
