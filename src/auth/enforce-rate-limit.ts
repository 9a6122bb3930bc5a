import type { FastifyReply } from 'fastify'
import { tooMany } from '../platform/domain-error.ts'
import { rateLimitHeaders } from '../platform/rate-limit/headers.ts'
import type { RateDecision } from '../platform/rate-limit/rate-limit.ts'

/**
 * Writes the rate limit headers of an answer.
 * @param isShared whether the API key uses the limits of another organization. The usage of its own organization does not
 * explain a refusal then
 * @throws DomainError too_many if the limit refuses the request
 */
export function enforceRateLimit(decision: RateDecision, reply: FastifyReply, isShared = false): void {
  reply.headers(rateLimitHeaders(decision))
  if (decision.allowed) return
  const shared = isShared
    ? '. This API key shares its limits with the other keys of the organization that created it'
    : ''
  throw tooMany(
    'rate_limit_exceeded',
    `Too many requests: please slow down and try again in ${decision.retryAfterSeconds} s (Retry-After); large pages need fewer requests${shared}`,
  )
}
