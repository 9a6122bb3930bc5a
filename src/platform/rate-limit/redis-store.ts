import type { Ceilings, Clock, RateDecision, RateLimitStore } from './rate-limit.ts'
import type { RedisLink } from './redis-link.ts'

/** Counts requests in exact sliding windows in Redis, which all processes share. Each request calls one script. */
export class RedisStore implements RateLimitStore {
  readonly #link: RedisLink
  readonly #prefix: string
  readonly #clock: Clock | null

  /**
   * @param kind separates these keys (`org`) from other keys in the same Redis
   * @param clock for tests. By default it is the clock of Redis, so that processes with different clocks agree
   */
  constructor(link: RedisLink, kind: string, clock: Clock | null = null) {
    this.#link = link
    this.#prefix = `crosswalk:limit:${kind}:`
    this.#clock = clock
  }

  /** @throws the error that prevented an answer within the time limit */
  async take(key: string, ceilings: Ceilings): Promise<RateDecision> {
    const clockUs = this.#clock === null ? null : Math.floor(this.#clock.monotonicMs() * 1_000)
    const [waitUs, remaining, resetAfterUs, nowUs] = await this.#link.take(
      this.#prefix + key,
      ceilings,
      clockUs,
    )
    const epochMs = this.#clock?.epochMs() ?? nowUs / 1_000
    const isLifted = remaining < 0
    return {
      allowed: waitUs === 0,
      ceilings,
      remaining: isLifted ? null : remaining,
      resetAtMs: isLifted ? null : epochMs + resetAfterUs / 1_000,
      resetAfterSeconds: isLifted ? null : wholeSeconds(resetAfterUs),
      retryAfterSeconds: waitUs === 0 ? null : wholeSeconds(waitUs),
    }
  }
}

function wholeSeconds(us: number): number {
  return Math.ceil(us / 1_000_000)
}
