/** A source of the current time in milliseconds. */
export type Clock = { now(): number }

const keysMax = 10_000

/**
 * Spaces the requests of each key by the virtual scheduling of ITU-T I.371. In any `n` seconds, requests use at most
 * `burst + n * perSecond` units.
 */
export class Pace {
  readonly #clock: Clock
  readonly #msPerUnit: number
  readonly #slackMs: number
  /** When the next unit of a key would be due without bursts. */
  readonly #dueAt = new Map<string, number>()

  /** @param limits in units; up to `burst` units may be spent at once */
  constructor(
    { burst, perSecond }: { burst: number; perSecond: number },
    clock: Clock = { now: () => performance.now() },
  ) {
    this.#clock = clock
    this.#msPerUnit = 1_000 / perSecond
    this.#slackMs = burst * this.#msPerUnit
  }

  /** Records a request of `cost` units. Returns the milliseconds to wait before sending it. */
  take(key: string, cost = 1): number {
    const now = this.#clock.now()
    if (this.#dueAt.size >= keysMax && !this.#dueAt.has(key)) this.#forget(now)
    const dueAt = Math.max(now, this.#dueAt.get(key) ?? now) + cost * this.#msPerUnit
    this.#dueAt.set(key, dueAt)
    return Math.max(0, dueAt - this.#slackMs - now)
  }

  /** Removes keys whose next unit is already due: they behave like new keys. */
  #forget(now: number): void {
    for (const [key, dueAt] of this.#dueAt) if (dueAt <= now) this.#dueAt.delete(key)
  }
}
