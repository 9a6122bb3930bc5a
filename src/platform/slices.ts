import { Turns } from './db/turns.ts'

/** The time that one slice of work may keep the thread, in milliseconds. */
const sliceMs = 4
/** The maximum number of long requests of one owner that may wait. Each waiting request keeps its body in memory. */
const waitingMax = 32
const waitMs = 10_000

/** By owner, the work that waits for its next slice. */
const waiting = new Map<string, (() => void)[]>()
const longWorkTurns = new Turns({ max: 2, waitMs, waitingMax })
/**
 * Limits the files that one org downloads at once. Each file keeps a piece in memory while its client reads.
 */
const fileTurns = new Turns({ max: 2, waitMs, waitingMax })

/**
 * Waits until the owner may use the thread for one slice. In each turn of the event loop, one slice runs, and owners
 * take turns. So sockets and other owners never wait for more than a slice.
 */
export function nextSlice(owner: string): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.size === 0) setImmediate(runSlice)
    const own = waiting.get(owner)
    if (own) own.push(resolve)
    else waiting.set(owner, [resolve])
  })
}

function runSlice(): void {
  const next = waiting.entries().next()
  if (next.done) return
  const [owner, resolvers] = next.value
  waiting.delete(owner)
  const [first, ...others] = resolvers
  // Move the owner behind all other owners.
  if (others.length > 0) waiting.set(owner, others)
  if (waiting.size > 0) setImmediate(runSlice)
  first?.()
}

/** Runs long synchronous work in slices. At each `yield`, other work may run. Returns the result. */
export async function inSlices<Result>(owner: string, work: Iterator<unknown, Result>): Promise<Result> {
  for (;;) {
    const end = performance.now() + sliceMs
    do {
      const step = work.next()
      if (step.done) return step.value
    } while (performance.now() < end)
    await nextSlice(owner)
  }
}

/**
 * Runs the work of `inSlices` at once, without breaks. Use it only on a thread that does nothing else.
 * Returns the result.
 */
export function runUnsliced<Result>(work: Iterator<unknown, Result>): Result {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}

/** Maps items with `read`, in slices. */
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
 * Runs long work as soon as fewer than two other long works of its owner run in this process. Two may run,
 * because the thread can work on one while PostgreSQL works on the other. The owner of a request is its
 * payer. Otherwise an agency would get turns for each of its clients.
 * @throws OrgBusy if too many requests of the owner wait, or one waits too long
 */
export function inTurn<Result>(owner: string, work: () => Promise<Result>): Promise<Result> {
  return longWorkTurns.run(owner, work)
}

/**
 * Sends a file when fewer than two other files of its org are being sent. It does not use `inTurn`, so a client that
 * reads slowly does not delay other work of its org.
 * @throws OrgBusy if too many requests of the org wait, or one waits too long
 */
export function inFileTurn<Result>(orgId: string, send: () => Promise<Result>): Promise<Result> {
  return fileTurns.run(orgId, send)
}
