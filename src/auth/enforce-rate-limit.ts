import type { FastifyReply } from 'fastify'
import { tooMany } from '../platform/domain-error.ts'
import { rateLimitHeaders } from '../platform/rate-limit/headers.ts'
import type { RateDecision } from '../platform/rate-limit/rate-limit.ts'

/**
 * Writes how many requests the client has left into headers.
 * @throws DomainError too_many if the request exceeds it
 */
export function enforceRateLimit(decision: RateDecision, reply: FastifyReply): void {
  reply.headers(rateLimitHeaders(decision))
  if (decision.allowed) return
  throw tooMany(
    'rate_limit_exceeded',
    `Too many requests: please slow down and try again in ${decision.retryAfterSeconds} s (Retry-After); large pages need fewer requests`,
  )
}
