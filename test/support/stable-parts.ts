import type { Answer } from './app.ts'

/** Returns the parts of an answer that are equal each time. */
export function stableParts({ status, text, headers }: Answer): unknown {
  const changing = ['x-request-id', 'date', 'x-ratelimit-reset', 'x-ratelimit-remaining', 'ratelimit']
  // After HEAD, fetch closes its connection. An answer without a body is not chunked.
  changing.push('connection', 'keep-alive', 'transfer-encoding')
  return { status, text, headers: [...headers].filter(([name]) => !changing.includes(name)) }
}

export const rateLimitHeaders = [
  'x-ratelimit-limit-second',
  'x-ratelimit-limit-minute',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'ratelimit-policy',
  'ratelimit',
]
