import { defaultRetry } from './job.ts'

/** However long a provider asks for. */
const mostWaitMs = 60 * 60_000

/**
 * How long to wait, in milliseconds, after the `tries`th try of what another service is not ready for: as jobs are retried
 * (`defaultRetry`), with jitter, and at least what the provider asks for; null: no more.
 */
export function waitAfter(tries: number, askedSeconds = 0): number | null {
  const { limit, delaySeconds, delayMaxSeconds } = defaultRetry
  if (tries > limit) return null
  const wait = Math.min(delayMaxSeconds, delaySeconds * 2 ** (tries - 1)) * (0.75 + Math.random() / 2)
  return Math.min(mostWaitMs, Math.max(wait, askedSeconds) * 1_000)
}
