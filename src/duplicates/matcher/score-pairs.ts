import { Worker } from 'node:worker_threads'
import { type Candidates, forEachCandidate, shards } from './candidates.ts'
import type { Edges } from './cluster.ts'
import type { FeatureTable } from './feature-table.ts'
import { fieldsOf } from './fields/plan.ts'
import type { Rates, Schema } from './schema.ts'
import { Weigher } from './weigh.ts'

/** All that scoring needs, made of what threads share or can copy cheaply. */
export type Scoring = {
  schema: Schema
  table: FeatureTable
  candidates: Candidates
  rates: readonly Rates[]
  shares: Float64Array[]
  /** Bits. */
  prior: number
  /** Pairs of fewer bits are left out. */
  floor: number
}

const shardPairs = 250_000

export function weigherOf({ schema, table, rates, shares, prior }: Scoring): Weigher {
  return new Weigher(fieldsOf(schema), table, rates, shares, prior)
}

/** The edges among the candidates of some runs. */
export function scoreShard(scoring: Scoring, weigher: Weigher, [from, to]: readonly [number, number]): Edges {
  const a: number[] = []
  const b: number[] = []
  const weights: number[] = []
  forEachCandidate(scoring.candidates, from, to, (left, right) => {
    const weight = weigher.weigh(left, right, scoring.floor)
    if (weight < scoring.floor) return
    a.push(left)
    b.push(right)
    weights.push(weight)
  })
  return { a: Uint32Array.from(a), b: Uint32Array.from(b), weights: Float64Array.from(weights) }
}

/** Weighs all candidates on so many threads; what comes out, order included, is the same for any number of them. */
export async function scorePairs(scoring: Scoring, threads: number): Promise<Edges> {
  const work = shards(scoring.candidates, shardPairs)
  if (threads < 2 || work.length < 2) {
    const weigher = weigherOf(scoring)
    return joined(work.map((shard) => scoreShard(scoring, weigher, shard)))
  }
  const results = new Array<Edges>(work.length)
  let next = 0
  const runWorker = () =>
    new Promise<void>((done, failed) => {
      const worker = new Worker(new URL('./score-worker.ts', import.meta.url), { workerData: scoring })
      const give = () => {
        if (next < work.length) worker.postMessage({ index: next, shard: work[next++] })
        else worker.postMessage(null)
      }
      worker.on('message', ({ index, edges }: { index: number; edges: Edges }) => {
        results[index] = edges
        give()
      })
      worker.on('error', failed)
      worker.on('exit', () => done())
      give()
    })
  await Promise.all(Array.from({ length: Math.min(threads, work.length) }, runWorker))
  return joined(results)
}

function joined(parts: readonly Edges[]): Edges {
  const size = parts.reduce((sum, { weights }) => sum + weights.length, 0)
  const edges = { a: new Uint32Array(size), b: new Uint32Array(size), weights: new Float64Array(size) }
  let at = 0
  for (const { a, b, weights } of parts) {
    edges.a.set(a, at)
    edges.b.set(b, at)
    edges.weights.set(weights, at)
    at += weights.length
  }
  return edges
}
