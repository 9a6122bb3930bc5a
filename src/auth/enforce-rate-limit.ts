import type { FastifyReply } from 'fastify'
import { tooMany } from '../platform/domain-error.ts'
import { rateLimitHeaders } from '../platform/rate-limit/headers.ts'
import type { RateDecision } from '../platform/rate-limit/rate-limit.ts'

/**
 * Writes the rate limit headers of an answer.
 * @throws DomainError too_many if the limit refuses the request
 */
export function enforceRateLimit(decision: RateDecision, reply: FastifyReply): void {
  reply.headers(rateLimitHeaders(decision))
  if (decision.allowed) return
  throw tooMany(
    'rate_limit_exceeded',
    `Too many requests: please slow down and try again in ${decision.retryAfterSeconds} s (Retry-After); large pages need fewer requests`,
  )
}
