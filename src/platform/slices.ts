import { Turns } from './db/turns.ts'

/** How long one slice of work may keep the thread, in milliseconds. */
const sliceMs = 4
/** Long requests of one owner that may wait for others of it; each of them keeps its body. */
const waitingMax = 32
const waitMs = 10_000

/** Work that waits for its next slice, by its owner. */
const waiting = new Map<string, (() => void)[]>()
const longWorkTurns = new Turns({ max: 2, waitMs, waitingMax })
/** Files that one org gets at once; each keeps a piece in memory for as long as its client reads. */
const fileTurns = new Turns({ max: 2, waitMs, waitingMax })

/**
 * Waits until the owner may use the thread for one slice. In each turn of the event loop one slice runs, and owners
 * take turns, so that sockets and other owners never wait for more than a slice.
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
  // Behind all other owners.
  if (others.length > 0) waiting.set(owner, others)
  if (waiting.size > 0) setImmediate(runSlice)
  first?.()
}

/** Runs long synchronous work to its end in slices; it may be interrupted wherever it yields. Returns its result. */
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

/** What `read` makes of each item, made in slices. */
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
 * Does long work once fewer than two others of its owner are under way in this process: while PostgreSQL has one of them,
 * the thread has the other. The owner of a request is its payer: an agency would have turns in each of its clients otherwise.
 * @throws OrgBusy if too many of the owner wait, or for too long
 */
export function inTurn<Result>(owner: string, work: () => Promise<Result>): Promise<Result> {
  return longWorkTurns.run(owner, work)
}

/**
 * Sends a file once fewer than two others of its org are on their way. Not `inTurn`: a client that reads slowly keeps no
 * other work of its org waiting.
 * @throws OrgBusy if too many of the org wait, or for too long
 */
export function inFileTurn<Result>(orgId: string, send: () => Promise<Result>): Promise<Result> {
  return fileTurns.run(orgId, send)
}
