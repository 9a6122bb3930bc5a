import type { FastifyRequest } from 'fastify'
import type { AnswerKeyed } from '../http/route.ts'
import { withStaged } from '../http/staging.ts'
import { answerOnce } from './answer-once.ts'
import { digesting, fingerprintOf, jsonDigest, scopeOf } from './fingerprint.ts'
import { answerOutside } from './outside.ts'
import { Seal } from './seal.ts'

const defaultDays = 1

/** Also stages what the endpoint stages, on each attempt: staging is outside the one transaction that holds the effect. */
export const answerKeyed: AnswerKeyed = ({ endpoint, key, request, sentBody, raw, serialize }, answer) => {
  const { org, caller, params } = request
  const scope = scopeOf(caller, endpoint, params, key)
  const body = request.stream ? digesting(request.stream) : null
  return withStaged(endpoint, body ? { ...request, stream: body.stream } : request, async (staged) => {
    const bodyDigest = body ? body.digest() : await jsonDigest(org.orgId, sentBody)
    const claim = {
      org,
      scope,
      fingerprint: fingerprintOf(raw.query as URLSearchParams, bodyDigest),
      keptDays: endpoint.keptDays ?? defaultDays,
      refuses: (shown: Record<string, unknown>) => endpoint.refusesKept?.(caller, shown) ?? null,
      secret: endpoint.holdsSecret
        ? { member: endpoint.holdsSecret, seal: new Seal(bearerToken(raw), scope) }
        : null,
    }
    if (endpoint.effect === 'outside')
      return answerOutside(claim, serialize, (once) => answer(org, staged, once))
    return answerOnce(claim, (within) => answer(within, staged))
  })
}

/** The token that the gate accepted. */
const bearerToken = ({ headers }: FastifyRequest) => headers.authorization?.trim().split(' ').at(-1) ?? ''
