import { type Ceilings, minuteMs, type RateDecision, secondMs } from './rate-limit.ts'

const constantHeadersByCeilings = new Map<number, Record<string, string>>()

/**
 * The rate limit headers of an answer. A window without a ceiling has none. `X-RateLimit-Reset` is in Unix seconds,
 * rounded up. `RateLimit-Policy` and `RateLimit` follow draft-ietf-httpapi-ratelimit-headers. Only refusals have
 * `Retry-After` (RFC 9110, section 10.2.3).
 */
export function rateLimitHeaders(decision: RateDecision): Record<string, string> {
  const { ceilings, remaining, resetAtMs, resetAfterSeconds, retryAfterSeconds } = decision
  const headers = { ...constantHeaders(ceilings) }
  if (resetAtMs !== null) {
    if (ceilings.perMinute === null) {
      headers.RateLimit = `"burst";r=${remaining};t=${resetAfterSeconds}`
    } else {
      headers['X-RateLimit-Remaining'] = `${remaining}`
      headers['X-RateLimit-Reset'] = `${Math.ceil(resetAtMs / 1_000)}`
      headers.RateLimit = `"sustained";r=${remaining};t=${resetAfterSeconds}`
    }
  }
  if (retryAfterSeconds !== null) headers['Retry-After'] = `${retryAfterSeconds}`
  return headers
}

function constantHeaders(ceilings: Ceilings): Record<string, string> {
  // A Map is fastest with a number as key. 0 means no ceiling.
  const key = (ceilings.perSecond ?? 0) * 2 ** 24 + (ceilings.perMinute ?? 0)
  let headers = constantHeadersByCeilings.get(key)
  if (headers === undefined) {
    headers = writeConstantHeaders(ceilings)
    constantHeadersByCeilings.set(key, headers)
  }
  return headers
}

function writeConstantHeaders({ perSecond, perMinute }: Ceilings): Record<string, string> {
  const headers: Record<string, string> = {}
  const policies: string[] = []
  if (perSecond !== null) {
    headers['X-RateLimit-Limit-Second'] = `${perSecond}`
    policies.push(`"burst";q=${perSecond};w=${secondMs / 1_000}`)
  }
  if (perMinute !== null) {
    headers['X-RateLimit-Limit-Minute'] = `${perMinute}`
    policies.push(`"sustained";q=${perMinute};w=${minuteMs / 1_000}`)
  }
  if (policies.length > 0) headers['RateLimit-Policy'] = policies.join(', ')
  return headers
}
