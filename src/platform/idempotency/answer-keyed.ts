import type { AnswerKeyed } from '../http/perform.ts'
import { withStaged } from '../http/staging.ts'
import { answerOnce } from './answer-once.ts'
import { fingerprintOf, jsonDigest, scopeOf, withDigest } from './fingerprint.ts'
import { answerOutside } from './outside.ts'
import { AnswerSeal } from './seal.ts'

const defaultDays = 1

/** Each attempt stages its input again, outside of the effect's transaction. */
export const answerKeyed: AnswerKeyed = (call, answer) => {
  const { endpoint, key, request, sentBody, sentQuery, serialize } = call
  const { org, caller, params } = request
  const { refusesStored } = endpoint
  const scope = scopeOf(caller, endpoint, params, key)
  const body = request.stream ? withDigest(request.stream) : null
  return withStaged(endpoint, body ? { ...request, stream: body.stream } : request, async (staged) => {
    const bodyDigest = body ? body.digest() : await jsonDigest(caller.payerId, sentBody)
    const claim = {
      org,
      scope,
      fingerprint: fingerprintOf(sentQuery, bodyDigest),
      storedDays: endpoint.storedDays ?? defaultDays,
      refuses: refusesStored ? (shown: Record<string, unknown>) => refusesStored(caller, shown) : null,
      secret: endpoint.holdsSecret
        ? { member: endpoint.holdsSecret, seal: new AnswerSeal(call.token(), scope) }
        : null,
    }
    if (endpoint.effect === 'outside')
      return answerOutside(claim, serialize, (once) => answer(org, staged, once))
    return answerOnce(claim, (within) => answer(within, staged))
  })
}
