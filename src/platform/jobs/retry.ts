/** How often and when a failed job is retried. */
export type RetryPolicy = {
  limit: number
  /** The wait before the first retry in seconds. It doubles with each retry, with jitter. 0: retries begin at once. */
  delaySeconds: number
  delayMaxSeconds: number
}

/** The first try and all 8 retries happen within 4 to 9 minutes. */
export const defaultRetry: RetryPolicy = { limit: 8, delaySeconds: 1, delayMaxSeconds: 300 }

/** A failure that a retry cannot fix. The job fails at once, and operators see the message. */
export class PermanentFailure extends Error {
  override name = 'PermanentFailure'
}

/** The maximum wait, even if the other service asks for more. */
const waitMaxMs = 60 * 60_000

/**
 * The milliseconds to wait before a repeated request to another service; null: do not repeat it. The wait follows
 * `defaultRetry`, but is at least what the service asked for, up to an hour.
 * @param tries the number of attempts so far
 */
export function waitAfter(tries: number, askedSeconds = 0): number | null {
  const { limit, delaySeconds, delayMaxSeconds } = defaultRetry
  if (tries > limit) return null
  const wait = Math.min(delayMaxSeconds, delaySeconds * 2 ** (tries - 1)) * (0.75 + Math.random() / 2)
  return Math.min(waitMaxMs, Math.max(wait, askedSeconds) * 1_000)
}
