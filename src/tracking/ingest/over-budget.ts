import { type Clock, systemClock } from '../../platform/rate-limit/rate-limit.ts'
import { Waits } from '../../platform/rate-limit/waits.ts'
import { sharedBudgets } from './budgets.ts'
import type { Sender } from './senders.ts'

/** How long a sender is remembered at most: another sender may have used up the budget that they share. */
const secondsMax = 10
/**
 * How long other senders wait for a shared budget. This time is shorter, because their bodies may be smaller than the
 * refused one.
 */
const sharedSeconds = 1

/**
 * Remembers which senders are over their own budget, and which shared budgets are used up. The events of a large body are
 * counted only after it was inflated and read, so senders could keep the server busy with bodies that are all refused.
 */
export class OverBudget {
  readonly #senders: Waits
  readonly #shared: Waits

  constructor(clock: Clock = systemClock) {
    this.#senders = new Waits(clock)
    this.#shared = new Waits(clock)
  }

  /**
   * Notes that a body of this sender was refused, and how long the sender was told to wait.
   * @param spent the budget that all addresses share, and that refused it; null: none
   */
  note(sender: Sender, waitSeconds: number, spent: string | null): void {
    this.#senders.note(nameOf(sender), Math.min(waitSeconds, secondsMax))
    if (spent !== null) this.#shared.note(spent, sharedSeconds)
  }

  /** How many seconds the sender must still wait; null: it is not known to be over a budget. */
  waitSecondsOf(sender: Sender): number | null {
    const waits = sharedBudgets(sender.limits).map((name) => this.#shared.secondsOf(name) ?? 0)
    return Math.max(this.#senders.secondsOf(nameOf(sender)) ?? 0, ...waits) || null
  }
}

/** Write keys are public, so one client address must not make another one wait. */
const nameOf = ({ limits, address }: Sender) => `${limits.id} ${address}`
