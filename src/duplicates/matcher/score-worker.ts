import { parentPort, workerData } from 'node:worker_threads'
import { type Scoring, scoreShard, weigherOf } from './score-pairs.ts'

// One thread of `scorePairs`: takes runs of candidates until there are no more.
const scoring = workerData as Scoring
const weigher = weigherOf(scoring)

parentPort?.on('message', (task: { index: number; shard: [number, number] } | null) => {
  if (task === null) {
    parentPort?.close()
    return
  }
  const edges = scoreShard(scoring, weigher, task.shard)
  parentPort?.postMessage({ index: task.index, edges }, [
    edges.a.buffer as ArrayBuffer,
    edges.b.buffer as ArrayBuffer,
    edges.weights.buffer as ArrayBuffer,
  ])
})
