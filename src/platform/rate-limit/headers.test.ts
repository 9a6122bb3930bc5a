import { expect, test } from 'vitest'
import { rateLimitHeaders } from './headers.ts'
import type { RateDecision } from './rate-limit.ts'

const published = { perSecond: 50, perMinute: 1_000 }

const accepted: RateDecision = {
  allowed: true,
  ceilings: published,
  remaining: 999,
  resetAtMs: 1_700_000_060_000,
  resetAfterSeconds: 60,
  retryAfterSeconds: null,
}

const table: { title: string; decision: RateDecision; headers: Record<string, string> }[] = [
  {
    title: 'accepted',
    decision: accepted,
    headers: {
      'X-RateLimit-Limit-Second': '50',
      'X-RateLimit-Limit-Minute': '1000',
      'X-RateLimit-Remaining': '999',
      'X-RateLimit-Reset': '1700000060',
      'RateLimit-Policy': '"burst";q=50;w=1, "sustained";q=1000;w=60',
      RateLimit: '"sustained";r=999;t=60',
    },
  },
  {
    title: 'refused: Retry-After, and the reset rounded up',
    decision: {
      ...accepted,
      allowed: false,
      remaining: 0,
      resetAtMs: 1_700_000_002_000.25,
      resetAfterSeconds: 3,
      retryAfterSeconds: 3,
    },
    headers: {
      'X-RateLimit-Limit-Second': '50',
      'X-RateLimit-Limit-Minute': '1000',
      'X-RateLimit-Remaining': '0',
      'X-RateLimit-Reset': '1700000003',
      'RateLimit-Policy': '"burst";q=50;w=1, "sustained";q=1000;w=60',
      RateLimit: '"sustained";r=0;t=3',
      'Retry-After': '3',
    },
  },
  {
    title: 'second window lifted',
    decision: { ...accepted, ceilings: { perSecond: null, perMinute: 300 }, remaining: 299 },
    headers: {
      'X-RateLimit-Limit-Minute': '300',
      'X-RateLimit-Remaining': '299',
      'X-RateLimit-Reset': '1700000060',
      'RateLimit-Policy': '"sustained";q=300;w=60',
      RateLimit: '"sustained";r=299;t=60',
    },
  },
  {
    title: 'minute window lifted',
    decision: {
      ...accepted,
      ceilings: { perSecond: 20, perMinute: null },
      remaining: 19,
      resetAfterSeconds: 1,
    },
    headers: {
      'X-RateLimit-Limit-Second': '20',
      'RateLimit-Policy': '"burst";q=20;w=1',
      RateLimit: '"burst";r=19;t=1',
    },
  },
  {
    title: 'both lifted',
    decision: {
      ...accepted,
      ceilings: { perSecond: null, perMinute: null },
      remaining: null,
      resetAtMs: null,
      resetAfterSeconds: null,
    },
    headers: {},
  },
]

for (const { title, decision, headers } of table) {
  test(title, () => {
    expect(rateLimitHeaders(decision)).toStrictEqual(headers)
  })
}

test('each answer has its own headers object', () => {
  const first = rateLimitHeaders(accepted)
  first['X-RateLimit-Limit-Second'] = 'changed'
  expect(rateLimitHeaders({ ...accepted, ceilings: { ...published } })['X-RateLimit-Limit-Second']).toBe('50')
})
