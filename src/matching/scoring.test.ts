import type { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { type Scoring, scoreAll } from './scoring.ts'

/** A thread that fails at the first shard, and never ends the others. */
const module = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads'
    parentPort.on('message', ({ index }) => {
      if (index === 0) throw new Error('the first shard')
    })`)}`,
)

test('if a thread fails, scoring ends the other threads and throws its error', async () => {
  const made: Worker[] = []
  const note = (worker: Worker) => void made.push(worker)
  process.on('worker', note)
  const scoring = { candidates: { records: 1_000, every: true } } as Scoring
  const never = () => {
    throw new Error('no thread was used')
  }
  await expect(scoreAll(scoring, never, { count: 3, module })).rejects.toThrow('the first shard')
  process.off('worker', note)
  expect(made).toHaveLength(3)
  // An ended thread has no number.
  expect(made.map(({ threadId }) => threadId)).toEqual([-1, -1, -1])
})
