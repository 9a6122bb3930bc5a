import { type Clock, systemClock } from '../../platform/rate-limit/rate-limit.ts'
import { RecencyMap } from '../../platform/rate-limit/recency-map.ts'
import type { Sender } from './senders.ts'

/** How long a sender is remembered at most: another sender may have used up the budget that they share. */
const secondsMax = 10
const sendersMax = 10_000

type Wait = { untilMs: number }

/**
 * Remembers which senders are over their budget. The events of a large body are counted only after it was inflated and
 * read, so its sender could keep the server busy with bodies that are all refused.
 */
export class OverBudget {
  readonly #clock: Clock
  readonly #waits = new RecencyMap<Wait>()

  constructor(clock: Clock = systemClock) {
    this.#clock = clock
  }

  /** Notes that a body of this sender was refused, and how long the sender was told to wait. */
  note(sender: Sender, waitSeconds: number): void {
    const untilMs = this.#clock.monotonicMs() + Math.min(waitSeconds, secondsMax) * 1000
    const known = this.#waits.use(nameOf(sender))
    if (known) known.untilMs = untilMs
    else {
      if (this.#waits.size >= sendersMax) this.#waits.dropOldest()
      this.#waits.add(nameOf(sender), { untilMs })
    }
  }

  /** How many seconds the sender must still wait; null: it is not known to be over its budget. */
  waitSecondsOf(sender: Sender): number | null {
    const waitMs = (this.#waits.use(nameOf(sender))?.untilMs ?? 0) - this.#clock.monotonicMs()
    return waitMs > 0 ? Math.ceil(waitMs / 1000) : null
  }
}

/** Write keys are public, so one client address must not make another one wait. */
const nameOf = ({ limits, address }: Sender) => `${limits.id} ${address}`
