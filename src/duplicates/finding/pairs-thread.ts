import { parentPort, workerData } from 'node:worker_threads'
import { type Scoring, weigherOf } from '../matcher/score-pairs.ts'
import { likelyOf, type Result, type Task } from './likely-pairs.ts'

// One thread of `likelyPairs`: takes runs of candidates until there are no more.
const scoring = workerData as Scoring
const weigher = weigherOf(scoring)

parentPort!.on('message', (task: Task | null) => {
  if (task === null) {
    parentPort!.close()
    return
  }
  const likely = likelyOf(scoring, weigher, task.shard)
  const { a, b, weights } = likely.edges
  parentPort!.postMessage({ index: task.index, likely } satisfies Result, [
    a.buffer as ArrayBuffer,
    b.buffer as ArrayBuffer,
    weights.buffer as ArrayBuffer,
  ])
})
