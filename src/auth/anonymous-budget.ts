import { networkOf } from '../platform/client-network.ts'
import { MemoryStore } from '../platform/rate-limit/memory-store.ts'
import {
  type Ceilings,
  type Clock,
  type RateDecision,
  type RateLimitStore,
  systemClock,
} from '../platform/rate-limit/rate-limit.ts'

/** How many requests without a valid key one client address may send. */
const strangerCeilings: Ceilings = { perSecond: 20, perMinute: 300 }

/** How many addresses a process remembers. Without a limit, invented addresses could fill the memory. */
export const addressesMax = 20_000

// Unknown keys are divided into this many shares, by their hash. An address without budget may try one unknown key a
// second in each share. So a script that repeats a deleted key blocks few valid keys of the same address.
const guessShares = 16
const guessCeilings: Ceilings = { perSecond: 1, perMinute: null }

/** The budget of each client address for requests without a valid key. It makes guessing keys slow. */
export class AnonymousBudget {
  readonly #store: RateLimitStore
  readonly #guesses: MemoryStore
  readonly #clock: Clock
  /** When refused addresses may send again, in milliseconds of the monotonic clock. */
  readonly #spentUntil = new Map<string, number>()

  constructor(store: RateLimitStore, clock: Clock = systemClock) {
    this.#store = store
    this.#clock = clock
    this.#guesses = new MemoryStore({ clock, maxKeys: addressesMax })
  }

  /** Counts one request without a valid key. */
  take(ip: string): RateDecision | Promise<RateDecision> {
    const address = networkOf(ip)
    const decision = this.#store.take(address, strangerCeilings)
    return decision instanceof Promise
      ? decision.then((taken) => this.#noted(address, taken))
      : this.#noted(address, decision)
  }

  /**
   * Whether an unknown key may be looked up for this address. Guesses must not keep the database busy. But a valid key
   * that is new to this process must work, even if other clients behind the same address guess.
   * @param tokenHash a binary string
   */
  mayGuess(ip: string, tokenHash: string): boolean {
    const address = networkOf(ip)
    if (!this.#isSpent(address)) return true
    return this.#guesses.take(`${address} ${tokenHash.charCodeAt(0) % guessShares}`, guessCeilings).allowed
  }

  #noted(address: string, decision: RateDecision): RateDecision {
    if (decision.retryAfterSeconds !== null) {
      if (this.#spentUntil.size >= addressesMax) this.#spentUntil.clear()
      this.#spentUntil.set(address, this.#clock.monotonicMs() + decision.retryAfterSeconds * 1000)
    }
    return decision
  }

  /** Whether the address was refused, and must still wait (Retry-After). */
  #isSpent(address: string): boolean {
    const until = this.#spentUntil.get(address)
    if (until === undefined) return false
    if (this.#clock.monotonicMs() < until) return true
    this.#spentUntil.delete(address)
    return false
  }
}
