import type { FastifyReply } from 'fastify'
import { Problem } from '../platform/http/problem.ts'
import { rateLimitHeaders } from '../platform/rate-limit/headers.ts'
import type { Decision } from '../platform/rate-limit/rate-limit.ts'

/** Tells the client what is left of its budget. @throws Problem 429 if the request was one too many */
export function spend(decision: Decision, reply: FastifyReply): void {
  reply.headers(rateLimitHeaders(decision))
  if (decision.allowed) return
  throw new Problem(
    429,
    `Too many requests: please slow down and try again in ${decision.retryAfterSeconds} s (Retry-After); large pages need fewer requests`,
  )
}
