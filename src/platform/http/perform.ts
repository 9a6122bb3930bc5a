import type { FastifyReply } from 'fastify'
import type { Org } from '../db/org.ts'
import { type EffectTransactions, effectWithoutKey } from './effect-transactions.ts'
import type { AnyRequest, Endpoint } from './endpoint.ts'
import { type SerializedAnswer, wireAnswer } from './response.ts'
import { withStaged } from './staging.ts'

/** A valid call of an endpoint: from a request of its own, or from a tool. */
export type EndpointCall = {
  endpoint: Endpoint
  request: AnyRequest
  /** The Idempotency-Key; undefined: the call may take effect more than once. */
  key: string | undefined
  /** The JSON of the body, before any schema read it. */
  sentBody: unknown
  sentQuery: URLSearchParams
  /** The credential of the caller. It seals stored answers that contain a secret. */
  token: () => string
}

/** A call with an Idempotency-Key. */
export type KeyedCall = EndpointCall & { key: string; serialize: (answered: unknown) => SerializedAnswer }

/**
 * Answers a call at most once with the result of `answer`. Endpoints with an effect outside the
 * database get the caller's own org, and `once` for their two transactions.
 */
export type AnswerKeyed = (
  call: KeyedCall,
  answer: (org: Org, staged: unknown, once?: EffectTransactions) => Promise<SerializedAnswer>,
) => Promise<SerializedAnswer>

/** Runs the handler of an endpoint, and returns its answer as JSON. `reply` only compiles serializers here: the caller sends the answer. */
export async function perform(
  call: EndpointCall,
  reply: FastifyReply,
  answerKeyed: AnswerKeyed,
): Promise<SerializedAnswer> {
  const { endpoint, request, key } = call
  const serialize = (answered: unknown) => wireAnswer(endpoint, reply, answered)
  const handle = async (org: Org, staged: unknown, once = effectWithoutKey(org)) =>
    serialize(await endpoint.handle({ ...request, org, staged, once }))
  return key === undefined || endpoint.effect === 'none'
    ? withStaged(endpoint, request, (staged) => handle(request.org, staged))
    : answerKeyed({ ...call, key, serialize }, handle)
}
