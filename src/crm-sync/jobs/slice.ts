import type { Org } from '../../platform/db/org.ts'
import type { Adapter } from '../adapters/adapter.ts'
import type { RunningJob } from './life.ts'
import { type NextPeople, nextPeople } from './next-people.ts'
import { batchesAtOnce, sendAll } from './send.ts'

/** For so long a job has its turn, and batches that are under way after. */
const sliceMs = 1_000
/** People that are looked at together, at most; of small batches at least. */
const [chunkMost, chunkLeast] = [600, 60]

/** How far a turn came: whether nobody is left to push, and the contact up to which everybody has an outcome. */
export type Reached = { isDone: boolean; pushedTo: string | null }

/** Pushes for about a second. Throws as the adapter does. */
export async function pushSlice(
  org: Org,
  adapter: Adapter,
  job: RunningJob,
  signal: AbortSignal,
): Promise<Reached> {
  const until = performance.now() + sliceMs
  const limit = Math.min(chunkMost, Math.max(chunkLeast, batchesAtOnce * adapter.batchSize))
  const look = (before: NextPeople | null) => {
    const after = before?.last ?? job.pushedTo
    return nextPeople(org, job, { after, limit, underWay: before?.outgoing ?? [] })
  }
  let { pushedTo } = job
  let leavesSome = false
  let sendingMs = Number.POSITIVE_INFINITY
  let next = look(null)
  for (;;) {
    const people = await next
    if (people === null) return { isDone: !leavesSome, pushedTo }
    signal.throwIfAborted()
    const from = performance.now()
    // While these are sent, if there will be time for those that come after.
    const isLast = from + sendingMs >= until
    const following = isLast ? null : look(people)
    const looked = following?.catch(() => {})
    // Nothing of it goes on once this has ended.
    const isCanceled = await sendAll(org, adapter, job, people.outgoing, signal).finally(() => looked)
    if (isCanceled) return { isDone: true, pushedTo }
    leavesSome ||= people.leavesSome
    if (!leavesSome) pushedTo = people.last
    sendingMs = performance.now() - from
    if (following === null && performance.now() >= until) return { isDone: false, pushedTo }
    next = following ?? look({ ...people, outgoing: [] })
  }
}
