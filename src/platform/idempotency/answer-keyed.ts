import type { FastifyRequest } from 'fastify'
import type { AnswerKeyed } from '../http/route.ts'
import { withStaged } from '../http/staging.ts'
import { answerOnce } from './answer-once.ts'
import { fingerprintOf, jsonDigest, scopeOf, withDigest } from './fingerprint.ts'
import { answerOutside } from './outside.ts'
import { AnswerSeal } from './seal.ts'

const defaultDays = 1

/** Each attempt stages its input again, before the transaction of the effect. */
export const answerKeyed: AnswerKeyed = ({ endpoint, key, request, sentBody, raw, serialize }, answer) => {
  const { org, caller, params } = request
  const { refusesStored } = endpoint
  const scope = scopeOf(caller, endpoint, params, key)
  const body = request.stream ? withDigest(request.stream) : null
  return withStaged(endpoint, body ? { ...request, stream: body.stream } : request, async (staged) => {
    const bodyDigest = body ? body.digest() : await jsonDigest(org.orgId, sentBody)
    const claim = {
      org,
      scope,
      fingerprint: fingerprintOf(raw.query as URLSearchParams, bodyDigest),
      storedDays: endpoint.storedDays ?? defaultDays,
      refuses: refusesStored ? (shown: Record<string, unknown>) => refusesStored(caller, shown) : null,
      secret: endpoint.holdsSecret
        ? { member: endpoint.holdsSecret, seal: new AnswerSeal(acceptedToken(raw), scope) }
        : null,
    }
    if (endpoint.effect === 'outside')
      return answerOutside(claim, serialize, (once) => answer(org, staged, once))
    return answerOnce(claim, (within) => answer(within, staged))
  })
}

/** The accepted token: an API key, or the token of a session. */
const acceptedToken = ({ headers, visit }: FastifyRequest) =>
  visit ? (visit.token ?? '') : (headers.authorization?.trim().split(' ').at(-1) ?? '')
