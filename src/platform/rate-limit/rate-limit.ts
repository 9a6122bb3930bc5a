/** The length of the window for bursts, in milliseconds. */
export const secondMs = 1_000

/** The length of the window for sustained load, in milliseconds. */
export const minuteMs = 60_000

/** The highest ceiling that stores count exactly. Higher ones are refused when they are set. */
export const highestCeiling = 100_000

/** The maximum number of accepted requests in each sliding window: whole numbers from 1 to `highestCeiling`; null: no ceiling. */
export type Ceilings = { readonly perSecond: number | null; readonly perMinute: number | null }

/** Every request is accepted. */
export const noCeilings: Ceilings = { perSecond: null, perMinute: null }

/**
 * The decision about one request. Only accepted requests count. `remaining` and the resets describe the minute
 * window, or the second window if the minute has no ceiling. They are null without any ceiling.
 */
export type RateDecision = {
  allowed: boolean
  ceilings: Ceilings
  /** The number of requests left in the window after this one, 0 or more. */
  remaining: number | null
  /** The time at which `remaining` next rises, in Unix milliseconds with fractions. */
  resetAtMs: number | null
  /**
   * The wait until `remaining` next rises, in whole seconds, rounded up, at least 1. A change of the wall clock does
   * not affect it.
   */
  resetAfterSeconds: number | null
  /** Only for a refusal: after this many whole seconds without another request, a request is accepted. At least 1. */
  retryAfterSeconds: number | null
}

/** Counts requests against ceilings, separately for each key (an org or a client address). */
export interface RateLimitStore {
  /** Decides about one request that arrives now, and counts it if it is accepted. */
  take(key: string, ceilings: Ceilings): RateDecision | Promise<RateDecision>
}

export type Clock = {
  /** Milliseconds since a fixed instant. The value never decreases. */
  monotonicMs(): number
  /** Unix time in milliseconds, which may jump forward or back. */
  epochMs(): number
}

export const systemClock: Clock = {
  monotonicMs: () => performance.now(),
  epochMs: () => Date.now(),
}
