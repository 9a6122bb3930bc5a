/** How often and when a failed job is retried. */
export type RetryPolicy = {
  /** Retries after the first try. */
  limit: number
  /** The wait before the first retry, in seconds; it doubles each time, with jitter. 0: no wait at all. */
  delaySeconds: number
  delayMaxSeconds: number
}

/** Tries 9 times within 4 to 9 minutes. */
export const defaultRetry: RetryPolicy = { limit: 8, delaySeconds: 1, delayMaxSeconds: 300 }

/** A failure that a retry cannot fix: the job fails at once. Operators see its message. */
export class PermanentFailure extends Error {
  override name = 'PermanentFailure'
}

/** The longest wait, however long the provider asks for. */
const waitMaxMs = 60 * 60_000

/**
 * How long to wait, in milliseconds, after the `tries`th try of a request that another service cannot serve now. It is
 * the wait of jobs (`defaultRetry`) with jitter, and at least what the provider asks for. Null: do not retry.
 */
export function waitAfter(tries: number, askedSeconds = 0): number | null {
  const { limit, delaySeconds, delayMaxSeconds } = defaultRetry
  if (tries > limit) return null
  const wait = Math.min(delayMaxSeconds, delaySeconds * 2 ** (tries - 1)) * (0.75 + Math.random() / 2)
  return Math.min(waitMaxMs, Math.max(wait, askedSeconds) * 1_000)
}
