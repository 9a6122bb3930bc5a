import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CredentialCache } from '../auth/credential-cache.ts'
import type { KnownKey } from '../auth/known-keys.ts'
import { hashToken, readAuthorization } from '../auth/token.ts'
import type { Gate } from '../platform/http/server.ts'
import type { RateLimitStore } from '../platform/rate-limit/rate-limit.ts'
import type { Admitted } from './route.ts'

/** Finds the callers of the tool server by their API keys, as for every other request. */
export function admitKeys(gate: Gate, keys: CredentialCache<KnownKey>, limits: RateLimitStore) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<Admitted> => {
    const caller = await gate(request, reply)
    const authorization = readAuthorization(request.headers.authorization)
    const known = authorization.kind === 'token' ? keys.peek(hashToken(authorization.body)) : null
    return {
      caller,
      spend: () => limits.take(caller.payerId, known?.payer.ceilings ?? { perSecond: null, perMinute: null }),
    }
  }
}
