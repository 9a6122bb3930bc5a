import { type Clock, systemClock } from './rate-limit.ts'
import { RecencyMap } from './recency-map.ts'

/** By default, a burst has as many units as the steady rate allows in this many seconds. */
const burstSeconds = 10

/** Units that a request needs of the budget `name`. `burst` is in seconds of the steady rate. */
export type Asked = { name: string; perSecond: number; units: number; burst?: number }

/**
 * Budgets in the memory of this process, by the generic cell rate algorithm (ITU-T I.371): a steady rate, and bursts.
 */
export class CellRates {
  readonly #clock: Clock
  readonly #keysMax: number
  /** For each budget, the monotonic time in milliseconds at which it is full again. */
  readonly #fullAt = new RecencyMap<{ ms: number }>()

  constructor({ clock = systemClock, keysMax = 50_000 }: { clock?: Clock; keysMax?: number } = {}) {
    this.#clock = clock
    this.#keysMax = keysMax
  }

  /**
   * Takes the units from all budgets, or from none.
   * @param otherWaitMs the milliseconds to wait for another reason; 0: none
   * @returns null if all budgets have room, otherwise the number of seconds to wait
   */
  take(asked: readonly Asked[], otherWaitMs = 0): number | null {
    const waitMs = Math.max(otherWaitMs, this.waitMs(asked))
    if (waitMs > 0) return Math.ceil(waitMs / 1000)
    this.add(asked)
    return null
  }

  /** The milliseconds until all budgets have room; 0: they have. */
  waitMs(asked: readonly Asked[]): number {
    return Math.max(0, ...asked.map((each) => this.#waitMs(each)))
  }

  /** Takes the units even if a budget has no room. Negative units give back. */
  add(asked: readonly Asked[]): void {
    for (const each of asked) this.#add(each)
  }

  #waitMs({ name, perSecond, units, burst = burstSeconds }: Asked): number {
    const missingMs = Math.max(0, (this.#fullAt.use(name)?.ms ?? 0) - this.#clock.monotonicMs())
    const askedMs = (units / perSecond) * 1000
    // A request larger than a burst needs only a full budget: it would wait forever otherwise.
    return Math.max(0, missingMs + Math.min(0, askedMs - burst * 1000))
  }

  #add({ name, perSecond, units }: Asked): void {
    const nowMs = this.#clock.monotonicMs()
    const spentMs = (units / perSecond) * 1000
    const known = this.#fullAt.use(name)
    if (known) known.ms = Math.max(known.ms, nowMs) + spentMs
    else {
      if (this.#fullAt.size >= this.#keysMax) this.#fullAt.dropOldest()
      this.#fullAt.add(name, { ms: nowMs + spentMs })
    }
  }
}
