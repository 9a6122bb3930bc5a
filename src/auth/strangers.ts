import { MemoryStore } from '../platform/rate-limit/memory-store.ts'
import { type Ceilings, type Clock, type Decision, systemClock } from '../platform/rate-limit/rate-limit.ts'

/** Requests without a valid key that one client address may send. */
export const strangerCeilings: Ceilings = { perSecond: 20, perMinute: 300 }

const addressesMax = 20_000

/** The budget of each client address for requests without a valid key, so that guessing keys is slow. */
export class StrangerBudget {
  readonly #store: MemoryStore
  readonly #clock: Clock
  /** When addresses that were refused may be heard again, in monotonic milliseconds. */
  readonly #spentUntil = new Map<string, number>()

  constructor(clock: Clock = systemClock) {
    this.#clock = clock
    this.#store = new MemoryStore({ clock, maxKeys: addressesMax })
  }

  /** Counts one request without a valid key. */
  take(ip: string): Decision {
    const address = networkOf(ip)
    const decision = this.#store.take(address, strangerCeilings)
    if (decision.retryAfterSeconds !== null) {
      if (this.#spentUntil.size >= addressesMax) this.#spentUntil.clear()
      this.#spentUntil.set(address, this.#clock.monotonicMs() + decision.retryAfterSeconds * 1000)
    }
    return decision
  }

  /** True while a refused address has not waited as long as it was told to. */
  isSpent(ip: string): boolean {
    const address = networkOf(ip)
    const until = this.#spentUntil.get(address)
    if (until === undefined) return false
    if (this.#clock.monotonicMs() < until) return true
    this.#spentUntil.delete(address)
    return false
  }
}

/** An IPv4 address as it is; of an IPv6 address its /64, which one client has to itself (RFC 6177). */
export function networkOf(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)
  if (mapped) return mapped[1]!
  if (!ip.includes(':')) return ip
  const [head = '', tail] = ip.toLowerCase().replace(/%.*$/, '').split('::')
  const groups = head === '' ? [] : head.split(':')
  const behind = tail ? tail.split(':').length : 0
  if (tail !== undefined) while (groups.length < 8 - behind) groups.push('0')
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')
}
