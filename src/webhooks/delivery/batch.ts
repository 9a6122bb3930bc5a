import { setTimeout as delay } from 'node:timers/promises'
import type { Trial } from './send.ts'

/** An event to send. */
export type BatchEvent = {
  readonly eventId: string
  /** The events of one object are sent one after another. null: the event has no object. */
  readonly objectId: string | null
}

/** An item with its try; `trial` is null if the item was not tried. */
export type BatchEventResult<Of extends BatchEvent> = { readonly item: Of; readonly trial: Trial | null }

export type BatchOptions<Of extends BatchEvent> = {
  send(item: Of): Promise<Trial>
  /** How many requests run at once. */
  inFlight: number
  /** After this time, no request starts, so that the results get stored. */
  startMs: number
  /**
   * After `startMs`, items that precede a tried item may still start for this long. The reason: only the results before
   * the first item without a try are stored, so a slow receiver would get the items after such a gap twice.
   */
  gapMs: number
  /** The milliseconds to wait before the next request may start. */
  pace(): number
  /** Whether no request may start after this try. */
  halts(trial: Trial): boolean
  signal: AbortSignal
}

/**
 * Sends items, several at once, but the items of one object one after another. Returns a result for each item, in
 * order. If `signal` fires, it returns at once, without the results of running requests.
 */
export async function sendBatch<Of extends BatchEvent>(
  items: readonly Of[],
  { send, inFlight, startMs, gapMs, pace, halts, signal }: BatchOptions<Of>,
): Promise<BatchEventResult<Of>[]> {
  const trials = new Map<Of, Trial>()
  const lastStart = performance.now() + startMs
  const indexes = new Map(items.map((item, index) => [item, index]))
  const chains = chainsOf(items).values()
  let halted = false
  let lastTried = -1
  const isBeforeTried = (item: Of) => indexes.get(item)! < lastTried
  const mayStart = (item: Of) =>
    !halted &&
    !signal.aborted &&
    (trials.size === 0 || performance.now() < lastStart + (isBeforeTried(item) ? gapMs : 0))

  async function work(): Promise<void> {
    for (const chain of chains) {
      for (const item of chain) {
        if (!mayStart(item)) break
        const waitMs = pace()
        if (waitMs > 0) await delay(waitMs, undefined, { signal }).catch(() => {})
        if (!mayStart(item)) break
        lastTried = Math.max(lastTried, indexes.get(item)!)
        const trial = await send(item)
        trials.set(item, trial)
        halted ||= halts(trial)
      }
    }
  }

  const stopped = Promise.withResolvers<void>()
  const stop = () => stopped.resolve()
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  const workers = Promise.all(Array.from({ length: Math.min(inFlight, items.length) }, work))
  try {
    await Promise.race([workers, stopped.promise])
  } finally {
    signal.removeEventListener('abort', stop)
    workers.catch(() => {})
  }
  return items.map((item) => ({ item, trial: trials.get(item) ?? null }))
}

/** Returns the items of each object, in order. An item without an object forms a list of its own. */
function chainsOf<Of extends BatchEvent>(items: readonly Of[]): Of[][] {
  const chains = Map.groupBy(items, ({ objectId, eventId }) => objectId ?? eventId)
  return [...chains.values()]
}
