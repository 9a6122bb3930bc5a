import type { MemoryStore } from './memory-store.ts'
import { type Ceilings, noCeilings, type RateDecision, type RateLimitStore } from './rate-limit.ts'
import type { RedisLink } from './redis-link.ts'
import { RedisStore } from './redis-store.ts'

/** Counts in Redis, which all processes share. While Redis is unreachable, counts in this process. */
export class FallbackStore implements RateLimitStore {
  readonly #link: RedisLink
  readonly #shared: RedisStore
  readonly #own: MemoryStore

  constructor(link: RedisLink, kind: string, own: MemoryStore) {
    this.#link = link
    this.#shared = new RedisStore(link, kind)
    this.#own = own
  }

  take(key: string, ceilings: Ceilings): RateDecision | Promise<RateDecision> {
    if (!this.#link.isUp) return this.#own.take(key, ceilings)
    return this.#shared.take(key, ceilings).then(
      (decision) => {
        if (decision.allowed) this.#own.take(key, noCeilings)
        return decision
      },
      () => this.#own.take(key, ceilings),
    )
  }
}
