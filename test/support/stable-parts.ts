import type { Answer } from './app.ts'

/** The parts of an answer that are the same each time. */
export function stableParts({ status, text, headers }: Answer): unknown {
  const changing = ['x-request-id', 'date', 'x-ratelimit-reset', 'x-ratelimit-remaining', 'ratelimit']
  // fetch closes the connection after HEAD, and an answer without a body has no chunks.
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
