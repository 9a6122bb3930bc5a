import { type Clock, systemClock } from './rate-limit.ts'
import { RecencyMap } from './recency-map.ts'

const namesMax = 10_000

type Wait = { untilMs: number }

/** Remembers clients that were told to wait, so that earlier requests of these clients can be refused without more work. */
export class Waits {
  readonly #clock: Clock
  readonly #waits = new RecencyMap<Wait>()

  constructor(clock: Clock = systemClock) {
    this.#clock = clock
  }

  note(name: string, seconds: number): void {
    const untilMs = this.#clock.monotonicMs() + seconds * 1000
    const known = this.#waits.use(name)
    if (known) known.untilMs = untilMs
    else {
      if (this.#waits.size >= namesMax) this.#waits.dropOldest()
      this.#waits.add(name, { untilMs })
    }
  }

  /** How many seconds the client with this name must still wait; null: none. */
  secondsOf(name: string): number | null {
    const waitMs = (this.#waits.use(name)?.untilMs ?? 0) - this.#clock.monotonicMs()
    return waitMs > 0 ? Math.ceil(waitMs / 1000) : null
  }
}
