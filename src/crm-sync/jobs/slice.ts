import type { Org } from '../../platform/db/org.ts'
import type { Adapter } from '../adapters/adapter.ts'
import { Ledger } from './ledger.ts'
import type { RunningJob } from './life.ts'
import { type NextPeople, nextPeople } from './next-people.ts'
import { batchesAtOnce, sendAll } from './send.ts'

/** For so long a job has its turn, and batches that are under way after. */
const sliceMs = 1_000
/** People that are looked at together, at most; of small batches at least, once it is known that the CRM is quick. */
const [chunkMost, chunkLeast] = [600, 60]
/** A CRM that takes no longer for a chunk may get one twice as large. */
const quickMs = 250

/** How far a turn came: whether nobody is left to push, and the contact up to which everybody has an outcome. */
export type Reached = { isDone: boolean; pushedTo: string | null }

/**
 * Pushes for about a second. Who is refused as a duplicate is tried once more after all others: whose address they have now
 * may have been one of theirs until then, such as after an undone merge. Throws as the adapter does, and what was heard of
 * by then is stored.
 */
export async function pushSlice(
  org: Org,
  adapter: Adapter,
  job: RunningJob,
  signal: AbortSignal,
): Promise<Reached> {
  const until = performance.now() + sliceMs
  const first = await pushRound(org, adapter, job, { until, isLastTry: false }, signal)
  if (!first.isDone) return first
  const last = await pushRound(org, adapter, { ...job, pushedTo: null }, { until, isLastTry: true }, signal)
  return { ...first, isDone: last.isDone }
}

/**
 * Pushes those who were not tried, or those who are tried once more. While some are sent, what became of those before is
 * stored, and those after are looked at; the same person is never in two of these.
 */
async function pushRound(
  org: Org,
  adapter: Adapter,
  job: RunningJob,
  { until, isLastTry }: { until: number; isLastTry: boolean },
  signal: AbortSignal,
): Promise<Reached> {
  const atOnce = batchesAtOnce * adapter.batchSize
  const most = Math.min(chunkMost, Math.max(chunkLeast, atOnce))
  // A turn is no longer than what is sent at once takes, however slow the CRM.
  let limit = Math.min(most, atOnce)
  const ledger = new Ledger(org, job)
  let following: Promise<NextPeople | null> | null = null
  const look = (before: readonly NextPeople[]) => {
    const after = before.at(-1)?.last ?? job.pushedTo
    const underWay = before.flatMap((each) => each.outgoing)
    const looked = nextPeople(org, job, { after, limit, underWay, isLastTry })
    looked.catch(() => {})
    return looked
  }
  let leavesSome = false
  let { pushedTo } = job
  const noteStored = ({ last }: NextPeople) => {
    if (!leavesSome) pushedTo = last
  }
  try {
    let previous: NextPeople | null = null
    let stored = Promise.resolve()
    let sendingMs = Number.POSITIVE_INFINITY
    let people = await look([])
    while (people !== null && ledger.goesOn) {
      signal.throwIfAborted()
      const from = performance.now()
      const underWay: NextPeople[] = previous ? [previous, people] : [people]
      // If there will be time for those that come after.
      following = from + sendingMs < until ? look(underWay) : null
      await sendAll(adapter, job, people.outgoing, ledger, signal)
      await stored
      if (previous) noteStored(previous)
      stored = ledger.stored()
      stored.catch(() => {})
      leavesSome ||= people.leavesSome
      previous = people
      sendingMs = performance.now() - from
      if (sendingMs <= quickMs) limit = Math.min(most, limit * 2)
      if (following === null && performance.now() >= until) break
      people = await (following ?? look(underWay))
      following = null
    }
    await stored
    if (previous) noteStored(previous)
    const isEnd = people === null || !ledger.goesOn
    return { isDone: isEnd && !(leavesSome && ledger.goesOn), pushedTo }
  } finally {
    // Nothing of it goes on once this has ended.
    await Promise.allSettled([ledger.stored(), following])
  }
}
