import type { Org } from '../../platform/db/org.ts'
import type { Adapter } from '../adapters/adapter.ts'
import { Batches } from './batches.ts'
import type { RunningJob } from './job-state.ts'
import { type NextPeople, nextPeople, type PersonToPush } from './next-people.ts'
import { ResultWriter } from './results.ts'
import { resultsOf, sendBatch } from './send-batch.ts'

/** The duration of a turn in milliseconds. After that, no new batch starts, and the turn waits for the running ones. */
const turnMs = 1_000
/** The number of batches that run at once. */
const batchesAtOnce = 3
/** The maximum and the minimum number of people that are read at a time. Smaller batches of the adapter lower the number. */
const [chunkMax, chunkMin] = [600, 60]
/** If a chunk was sent within this time, the next one is twice as large. */
const quickMs = 250

/** The progress of a turn. `isDone`: nobody is left. `pushedTo`: see `RunningJob`. */
export type TurnProgress = { isDone: boolean; pushedTo: string | null }

/**
 * Pushes people for a second. Duplicates come last, because the matched record may lose the shared address in the
 * meantime. Stores all results before it throws an error of the adapter.
 */
export async function pushTurn(
  org: Org,
  adapter: Adapter,
  job: RunningJob,
  signal: AbortSignal,
): Promise<TurnProgress> {
  const until = performance.now() + turnMs
  const first = await pushRound(org, adapter, job, { until, isLastTry: false }, signal)
  if (!first.isDone) return first
  const last = await pushRound(org, adapter, { ...job, pushedTo: null }, { until, isLastTry: true }, signal)
  return { ...first, isDone: last.isDone }
}

/**
 * Pushes people who were not tried yet, or who are tried again. The next chunk is read while the current one is sent.
 * No person is in two chunks.
 */
async function pushRound(
  org: Org,
  adapter: Adapter,
  job: RunningJob,
  { until, isLastTry }: { until: number; isLastTry: boolean },
  signal: AbortSignal,
): Promise<TurnProgress> {
  const atOnce = batchesAtOnce * adapter.batchSize
  const limitMax = Math.min(chunkMax, Math.max(chunkMin, atOnce))
  // Start with one set of batches, so that a slow CRM extends the turn only by the time of one batch.
  let limit = Math.min(limitMax, atOnce)
  const results = new ResultWriter(org, job)
  let following: Promise<NextPeople | null> | null = null
  const read = (before: readonly NextPeople[]) => {
    const after = before.at(-1)?.last ?? job.pushedTo
    const underWay = before.flatMap((each) => each.outgoing)
    const chunk = nextPeople(org, job, { after, limit, underWay, isLastTry })
    // Handle a rejection now: the promise is awaited later.
    chunk.catch(() => {})
    return chunk
  }
  let mustContinue = false
  let { pushedTo } = job
  const noteStored = ({ last }: NextPeople) => {
    if (!mustContinue) pushedTo = last
  }
  try {
    let previous: NextPeople | null = null
    let stored = Promise.resolve()
    let sendingMs = Number.POSITIVE_INFINITY
    let people = await read([])
    while (people !== null && results.continues) {
      signal.throwIfAborted()
      const from = performance.now()
      const underWay: NextPeople[] = previous ? [previous, people] : [people]
      // Read ahead only if the turn has time for another chunk.
      following = from + sendingMs < until ? read(underWay) : null
      await sendAll(adapter, job, people.outgoing, results, signal)
      await stored
      if (previous) noteStored(previous)
      stored = results.stored()
      stored.catch(() => {})
      mustContinue ||= people.mustContinue
      previous = people
      sendingMs = performance.now() - from
      if (sendingMs <= quickMs) limit = Math.min(limitMax, limit * 2)
      if (following === null && performance.now() >= until) break
      people = await (following ?? read(underWay))
      following = null
    }
    await stored
    if (previous) noteStored(previous)
    const isEnd = people === null || !results.continues
    return { isDone: isEnd && !(mustContinue && results.continues), pushedTo }
  } finally {
    // Wait for all work, so that nothing runs after the round.
    await Promise.allSettled([results.stored(), following])
  }
}

/**
 * Sends people in batches, several at once, until everyone is sent or the job is canceled. When it throws an error of
 * the adapter, all batches have ended.
 */
async function sendAll(
  adapter: Adapter,
  job: RunningJob,
  outgoing: readonly PersonToPush[],
  results: ResultWriter,
  signal: AbortSignal,
): Promise<void> {
  const batches = new Batches(adapter, outgoing)
  let hasFailed = false
  const work = async () => {
    for (let batch = batches.take(); batch && !hasFailed && results.continues; batch = batches.take()) {
      signal.throwIfAborted()
      results.add(resultsOf(batch, await sendBatch(adapter, job.kind, batch, signal)))
      batches.answered(batch)
    }
  }
  const workers = await Promise.allSettled(
    Array.from({ length: batchesAtOnce }, () =>
      work().catch((error) => {
        hasFailed = true
        throw error
      }),
    ),
  )
  for (const worker of workers) if (worker.status === 'rejected') throw worker.reason
}
