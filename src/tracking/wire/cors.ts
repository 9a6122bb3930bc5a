/**
 * Headers that every answer to a tracking client has, even a refusal. Without `Expose-Headers`, a browser hides
 * Retry-After, and analytics-next repeats its request within 0.3 s. Credentials are never allowed.
 */
export const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'retry-after',
  'cross-origin-resource-policy': 'cross-origin',
} as const

// `*` allows the headers of later versions of clients. It never allows authorization, and old browsers ignore it, so
// the headers of today's clients are listed too. RudderStack's client adds the headers with rsa- to its retries.
const allowedHeaders = [
  ...['authorization', 'content-type', 'x-retry-count', 'anonymousid', 'sentat', 'x-write-key'],
  ...['rsa-retry-attempt', 'rsa-retry-reason', 'rsa-since-first-attempt', 'rsa-since-last-attempt'],
  ...['rsa-recovered', 'x-ip-policy', 'x-enable-debug', '*'],
]

/** Headers that only the answer to a preflight has. A preflight contains no write key. */
export const preflightHeaders = {
  'access-control-allow-methods': 'GET, POST, OPTIONS',
  'access-control-allow-headers': allowedHeaders.join(', '),
  'access-control-max-age': '7200',
} as const

/**
 * Returns whether a page of `origin` may use a write key with these origins. The check restricts only browsers: any
 * other program can send any Origin.
 * @param origins in their normal form; none: every origin
 */
export function allowsOrigin(origins: readonly string[], origin: string | undefined): boolean {
  if (origins.length === 0) return true
  if (origin === undefined) return false
  const sent = origin.toLowerCase()
  return origins.some((each) => {
    if (!each.includes('//*.')) return each === sent
    const [scheme = '', domain = ''] = each.split('//*')
    return sent.startsWith(`${scheme}//`) && sent.endsWith(domain) && sent.length > each.length - 1
  })
}
