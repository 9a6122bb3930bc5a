import { Worker } from 'node:worker_threads'
import { forEachCandidate, shards } from '../matcher/candidates.ts'
import type { Edges } from '../matcher/cluster.ts'
import { type FeatureTable, holdsSeveral } from '../matcher/feature-table.ts'
import { type FieldKind, fieldsOf } from '../matcher/fields/plan.ts'
import { type Scoring, weigherOf } from '../matcher/score-pairs.ts'
import type { Weigher } from '../matcher/weigh.ts'
import { threadLimits } from './scan-worker.ts'

/** What belongs to one alone: whoever shares it is looked at, however little else they have in common. Offices share phones. */
const ownedByOne: ReadonlySet<FieldKind> = new Set(['email', 'linkedin', 'external_id', 'domain'])

// What a thread compares in the time in which another begins.
const shardPairs = 200_000

type Shard = readonly [from: number, to: number]
type Likely = { edges: Edges; pairs: number }

/** Whether two records may have a value of a field in common: always if they have, and hardly ever if they have not. */
function mayShare({ cells, width, columns }: FeatureTable, field: number, a: number, b: number): boolean {
  const left = cells[a * width + field]!
  const right = cells[b * width + field]!
  if (left === 0 || right === 0) return false
  return left === right || holdsSeveral(columns[field]!, left) || holdsSeveral(columns[field]!, right)
}

/** The pairs of some runs of candidates that may be the same. */
export function likelyOf(scoring: Scoring, weigher: Weigher, [from, to]: Shard): Likely {
  const owned = fieldsOf(scoring.schema).flatMap(({ kind }, field) => (ownedByOne.has(kind) ? [field] : []))
  const a: number[] = []
  const b: number[] = []
  const weights: number[] = []
  let pairs = 0
  forEachCandidate(scoring.candidates, from, to, (left, right) => {
    pairs++
    let weight = weigher.weigh(left, right, scoring.floor)
    if (weight < scoring.floor) {
      if (!owned.some((field) => mayShare(scoring.table, field, left, right))) return
      weight = weigher.weigh(left, right)
      if (weight < scoring.floor && !owned.some((field) => weigher.levels[field] === 0)) return
    }
    a.push(left)
    b.push(right)
    weights.push(weight)
  })
  return {
    edges: { a: Uint32Array.from(a), b: Uint32Array.from(b), weights: Float64Array.from(weights) },
    pairs,
  }
}

/**
 * The pairs among all candidates that may be the same: of at least `floor` bits, or with something in common that belongs
 * to one alone. The same for any number of threads. @param onShare told which share (0 to 1) is done
 */
export async function likelyPairs(
  scoring: Scoring,
  threads: number,
  onShare: (share: number) => void,
): Promise<Likely> {
  const work = shards(scoring.candidates, shardPairs)
  if (threads < 2 || work.length < 2) {
    const weigher = weigherOf(scoring)
    return joined(work.map((shard) => likelyOf(scoring, weigher, shard)))
  }
  const results = new Array<Likely>(work.length)
  let [next, done] = [0, 0]
  const run = () =>
    new Promise<void>((resolve, reject) => {
      const worker = new Worker(new URL('./pairs-thread.ts', import.meta.url), {
        workerData: scoring,
        resourceLimits: threadLimits,
      })
      const give = () => {
        const index = next++
        if (index < work.length) worker.postMessage({ index, shard: work[index]! } satisfies Task)
        else worker.postMessage(null)
      }
      worker.on('message', ({ index, likely }: Result) => {
        results[index] = likely
        done++
        onShare(done / work.length)
        give()
      })
      worker.on('error', reject)
      worker.on('exit', () => resolve())
      give()
    })
  await Promise.all(Array.from({ length: Math.min(threads, work.length) }, run))
  return joined(results)
}

/** What a thread is given, and answers. */
export type Task = { index: number; shard: Shard }
export type Result = { index: number; likely: Likely }

function joined(parts: readonly Likely[]): Likely {
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
