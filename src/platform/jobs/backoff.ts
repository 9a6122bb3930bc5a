/** What another service is not ready for is tried so often: within about 9 minutes. */
const triesMost = 9
const firstWaitMs = 1_000
const longestWaitMs = 5 * 60_000
/** However long a provider asks for. */
const mostWaitMs = 60 * 60_000

/**
 * How long to wait, in milliseconds, after the `tries`th try: doubling from a second to five minutes, with jitter, and at
 * least what the provider asks for; null: no more.
 * @param random from 0 to 1
 */
export function waitAfter(tries: number, askedSeconds = 0, random = Math.random()): number | null {
  if (tries >= triesMost) return null
  const wait = Math.min(longestWaitMs, firstWaitMs * 2 ** (tries - 1)) * (0.75 + random / 2)
  return Math.min(mostWaitMs, Math.max(wait, askedSeconds * 1_000))
}
