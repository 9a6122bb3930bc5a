import type { FastifyRequest } from 'fastify'
import type { Org } from '../db/org.ts'
import type { AnyRequest, Endpoint } from '../http/endpoint.ts'
import type { WireAnswer } from '../http/response.ts'
import { withStaged } from '../http/staging.ts'
import { answerOnce } from './answer-once.ts'
import { digesting, fingerprintOf, jsonDigest, scopeOf } from './fingerprint.ts'
import type { Once } from './once.ts'
import { answerOutside } from './outside.ts'
import { Seal } from './seal.ts'

/** A request that was found to be valid, and its Idempotency-Key. */
export type KeyedRequest = {
  endpoint: Endpoint
  key: string
  request: AnyRequest
  /** Its JSON as it was sent, before any schema read it. */
  sentBody: unknown
  raw: FastifyRequest
  /** What an answer of the endpoint is on the wire. */
  serialise: (answered: unknown) => WireAnswer
}

const usualDays = 1

/**
 * Answers a request at most once with what `answer` does in the org that it is given. What the endpoint stages, it
 * stages each time, outside of the one transaction. Endpoints whose effect is outside get the org itself, and `once`.
 */
export function answerKeyed(
  { endpoint, key, request, sentBody, raw, serialise }: KeyedRequest,
  answer: (org: Org, staged: unknown, once?: Once) => Promise<WireAnswer>,
): Promise<WireAnswer> {
  const { org, caller, params } = request
  const scope = scopeOf(caller, endpoint, params, key)
  const body = request.stream ? digesting(request.stream) : null
  return withStaged(endpoint, body ? { ...request, stream: body.stream } : request, async (staged) => {
    const bodyDigest = body ? body.digest() : await jsonDigest(org.orgId, sentBody)
    const claim = {
      org,
      scope,
      fingerprint: fingerprintOf(raw.query as URLSearchParams, bodyDigest),
      keptDays: endpoint.keptDays ?? usualDays,
      refuses: (shown: Record<string, unknown>) => endpoint.refusesKept?.(caller, shown) ?? null,
      secret: endpoint.holdsSecret
        ? { member: endpoint.holdsSecret, seal: new Seal(bearerToken(raw), scope) }
        : null,
    }
    if (endpoint.effect === 'outside')
      return answerOutside(claim, serialise, (once) => answer(org, staged, once))
    return answerOnce(claim, (within) => answer(within, staged))
  })
}

/** The caller's own, which let it in. */
const bearerToken = ({ headers }: FastifyRequest) => headers.authorization!.trim().split(' ').at(-1)!
