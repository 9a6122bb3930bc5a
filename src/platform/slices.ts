import { givingWayToArrivals } from './arrivals.ts'
import { FairLimiter } from './db/fair-limiter.ts'
import { FairQueue } from './fair-queue.ts'

/** The time that slices may block the thread in one iteration of the event loop, in milliseconds. */
const sliceMs = 4
/** The minimum time of a slice in milliseconds, even if the iteration has no time left. Most work needs no more. */
const shortMs = 0.5
/** How many long requests of an owner may wait. Each keeps its body in memory. */
const waitingMax = 32
const waitMs = 10_000

/** The work that waits for its next slice. */
const waiting = new FairQueue<() => void>()
/** The time that slices have run in this iteration of the event loop, in milliseconds. */
let spentMs = 0
let isTurnAhead = false
const mustGiveWay = givingWayToArrivals()
const longWork = new FairLimiter({ max: 2, maxBesideOthers: 1, waitMs, waitingMax })
/**
 * JSON needs up to 50 times the memory of its text, so few bodies of an owner are parsed at once. This limit is
 * separate from that of `limitLongWork`, which already counts the long request to which the body belongs.
 * body-memory.ts limits the waiting bodies.
 */
const largeBodies = new FairLimiter({ max: 2, waitMs })
/** A download keeps a piece in memory while its client reads, so the downloads of an org are limited. */
const files = new FairLimiter({ max: 2, waitMs, waitingMax })

/**
 * Waits until the owner may use the thread for one slice. Each iteration of the event loop runs one slice, and the
 * owners alternate.
 */
export function nextSlice(owner: string): Promise<void> {
  return new Promise((resolve) => {
    waiting.add(owner, resolve)
    expectTurn()
  })
}

function expectTurn(): void {
  if (isTurnAhead) return
  isTurnAhead = true
  setImmediate(beginTurn)
}

function beginTurn(): void {
  isTurnAhead = false
  if (mustGiveWay()) return void expectTurn()
  spentMs = 0
  const begin = waiting.take()
  if (waiting.size > 0) expectTurn()
  begin?.()
}

/** Runs long synchronous work in slices. At each `yield`, other work may run. Returns the result. */
export async function inSlices<Result>(owner: string, work: Iterator<unknown, Result>): Promise<Result> {
  for (;;) {
    const began = performance.now()
    const end = began + Math.max(shortMs, sliceMs - spentMs)
    try {
      do {
        const step = work.next()
        if (step.done) return step.value
      } while (performance.now() < end)
    } finally {
      // Count the time here too: hundreds of requests may begin their work in one iteration.
      spentMs += performance.now() - began
      expectTurn()
    }
    await nextSlice(owner)
  }
}

/**
 * Waits for a slice if this iteration of the event loop has no time left for slices. Call this before short work, of
 * which one iteration may get many pieces.
 */
export async function shareTurn(owner: string): Promise<void> {
  if (spentMs >= sliceMs) await nextSlice(owner)
}

/** Runs short work within the time of slices. Use it for work of strangers, of which one iteration may get very many pieces. */
export async function inTurn<Result>(owner: string, work: () => Result): Promise<Result> {
  await shareTurn(owner)
  return inSlices(owner, { next: () => ({ done: true, value: work() }) })
}

/** Runs the work of `inSlices` without pauses. Use it only on a thread that does nothing else. Returns the result. */
export function runUnsliced<Result>(work: Iterator<unknown, Result>): Result {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}

/** Maps items with `read`. Other work can run after each slice. */
export function mapInSlices<Item, Result>(
  owner: string,
  items: readonly Item[],
  read: (item: Item) => Result,
): Promise<Result[]> {
  function* each(): Generator<undefined, Result[]> {
    const results: Result[] = []
    for (const item of items) {
      results.push(read(item))
      yield
    }
    return results
  }
  return inSlices(owner, each())
}

/**
 * Runs long work when fewer than two pieces of long work of its owner run in this process. While the process also
 * serves other organizations, one piece runs at a time.
 * @param owner `payerId` of the caller: an agency would get a separate limit for each client otherwise
 * @throws OrgBusy if too much work of the owner waits, or waits too long
 */
export function limitLongWork<Result>(owner: string, work: () => Promise<Result>): Promise<Result> {
  return longWork.run(owner, work)
}

/**
 * Parses a large body when fewer than two large bodies of its owner are being parsed.
 * @throws OrgBusy if it waits too long
 */
export function limitLargeBodies<Result>(owner: string, read: () => Promise<Result>): Promise<Result> {
  return largeBodies.run(owner, read)
}

/**
 * Sends a file when fewer than two files of its org are being sent. This limit is separate from that of
 * `limitLongWork`, so that a slow download does not delay other work.
 * @throws OrgBusy if too many requests of the org wait, or one waits too long
 */
export function limitFiles<Result>(orgId: string, send: () => Promise<Result>): Promise<Result> {
  return files.run(orgId, send)
}
