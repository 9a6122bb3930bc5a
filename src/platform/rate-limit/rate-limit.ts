/** Length of the window that absorbs bursts, in milliseconds. */
export const secondMs = 1_000

/** Length of the window that governs sustained throughput, in milliseconds. */
export const minuteMs = 60_000

/** The highest ceiling that stores keep exactly; whoever sets ceilings refuses higher ones. */
export const highestCeiling = 100_000

/** Accepted requests allowed in each sliding window: whole numbers from 1 to `highestCeiling`, null when lifted. */
export type Ceilings = { readonly perSecond: number | null; readonly perMinute: number | null }

/**
 * What a store says about one request. Accepted requests count, refused ones do not.
 *
 * `remaining` and the two resets describe the minute window; while that one is lifted, the second window;
 * while both are, they are null.
 */
export type Decision = {
  allowed: boolean
  ceilings: Ceilings
  /** Requests left in the window after this one, 0 or more. */
  remaining: number | null
  /** When `remaining` next rises, in Unix milliseconds, fractions included. */
  resetAtMs: number | null
  /** The same as a wait: whole seconds, rounded up, at least 1. Not affected by steps of the wall clock. */
  resetAfterSeconds: number | null
  /**
   * Only when refused: the fewest whole seconds, at least 1, after which a request is sure to be accepted if
   * nothing else is sent.
   */
  retryAfterSeconds: number | null
}

/** Counts requests against ceilings, each key (an org, a client address) by itself. */
export interface RateLimitStore {
  /** Decides on one request that arrives now, and counts it if it is accepted. */
  take(key: string, ceilings: Ceilings): Decision | Promise<Decision>
}

export type Clock = {
  /** Milliseconds since any fixed instant; never steps back. */
  monotonicMs(): number
  /** Unix time in milliseconds; may step either way. */
  epochMs(): number
}

export const systemClock: Clock = {
  monotonicMs: () => performance.now(),
  epochMs: () => Date.now(),
}
