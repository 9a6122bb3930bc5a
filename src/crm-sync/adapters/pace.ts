/** In milliseconds. */
export type Clock = { now(): number }

const keysMax = 10_000

/**
 * Spaces requests, so that those of one key come no faster than they may: the virtual scheduling of ITU-T I.371. In any
 * `n` seconds there are at most `burst + n * perSecond`.
 */
export class Pace {
  readonly #clock: Clock
  readonly #msEach: number
  readonly #slackMs: number
  readonly #dueAt = new Map<string, number>()

  /** @param burst how many may be sent at once */
  constructor(
    { burst, perSecond }: { burst: number; perSecond: number },
    clock: Clock = { now: () => performance.now() },
  ) {
    this.#clock = clock
    this.#msEach = 1_000 / perSecond
    this.#slackMs = (burst - 1) * this.#msEach
  }

  /** Takes a request of a key; the milliseconds to wait before it may be sent. */
  take(key: string): number {
    const now = this.#clock.now()
    if (this.#dueAt.size >= keysMax && !this.#dueAt.has(key)) this.#forget(now)
    const dueAt = Math.max(now, this.#dueAt.get(key) ?? now)
    this.#dueAt.set(key, dueAt + this.#msEach)
    return Math.max(0, dueAt - this.#slackMs - now)
  }

  /** Those that owe nothing are as good as new. */
  #forget(now: number): void {
    for (const [key, dueAt] of this.#dueAt) if (dueAt <= now) this.#dueAt.delete(key)
  }
}
