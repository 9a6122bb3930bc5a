import {
  type Ceilings,
  type Clock,
  type RateDecision,
  type RateLimitStore,
  systemClock,
} from './rate-limit.ts'
import { RecencyMap } from './recency-map.ts'
import { Ring } from './ring.ts'

// A request adds at most one key, so this removes idle keys faster than requests add them.
const dropsPerTakeMax = 2

/**
 * Exact sliding windows in the memory of this process. Later requests drop keys that were idle for a minute. Above
 * `maxKeys`, the least recently used key is dropped: anyone can make up keys such as client addresses.
 */
export class MemoryStore implements RateLimitStore {
  readonly #rings = new RecencyMap<Ring>()
  readonly #clock: Clock
  readonly #maxKeys: number

  constructor({ clock = systemClock, maxKeys = Number.POSITIVE_INFINITY } = {}) {
    this.#clock = clock
    this.#maxKeys = maxKeys
  }

  get size(): number {
    return this.#rings.size
  }

  take(key: string, ceilings: Ceilings): RateDecision {
    const nowMs = toExactMs(this.#clock.monotonicMs())
    this.#dropIdle(nowMs)
    const ring = this.#rings.use(key) ?? this.#add(key)
    return ring.take(ceilings, nowMs, this.#clock.epochMs())
  }

  #add(key: string): Ring {
    if (this.#rings.size >= this.#maxKeys) this.#rings.dropOldest()
    const ring = new Ring()
    this.#rings.add(key, ring)
    return ring
  }

  #dropIdle(nowMs: number): void {
    for (let drops = 0; drops < dropsPerTakeMax; drops++) {
      if (!this.#rings.oldest?.isIdle(nowMs)) return
      this.#rings.dropOldest()
    }
  }
}

/** Rounds down to 1/1024 ms. Sums and differences are then exact: 60 s later is not 60.000000001 s. */
function toExactMs(ms: number): number {
  return Math.floor(ms * 1_024) / 1_024
}
