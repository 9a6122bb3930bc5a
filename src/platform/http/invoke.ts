import type { FastifyReply } from 'fastify'
import type { Caller } from '../caller.ts'
import type { Context } from '../context.ts'
import { recentRequests } from '../recent-requests.ts'
import { limitLongWork } from '../slices.ts'
import type { Endpoint } from './endpoint.ts'
import { type AnswerKeyed, perform } from './perform.ts'
import { readInput } from './read-request.ts'
import { requireRecordAccess } from './record-access.ts'
import type { SerializedAnswer } from './response.ts'
import type { PermissionCheck } from './server.ts'

/** The parts of a call without a request of its own. Values of `query` are sent as text; a list repeats its name. */
export type Parts = {
  params?: Readonly<Record<string, unknown>>
  query?: Readonly<Record<string, unknown>>
  body?: unknown
  /** The value of the header `If-Match`. */
  ifMatch?: string | undefined
  idempotencyKey?: string | undefined
}

export type Invoke = (endpoint: Endpoint, parts: Parts) => Promise<SerializedAnswer>

export type InvokeOptions = {
  context: Context
  requirePermission: PermissionCheck
  answerKeyed: AnswerKeyed
}

/** The request to which the calls belong. */
export type InvokeFor = {
  caller: Caller
  /** The answer of the request that the calls belong to. */
  reply: FastifyReply
  /** Returns a signal that aborts when nobody waits for the answer any more. */
  ended: () => AbortSignal
}

/**
 * Makes a function that calls endpoints as their routes do: permission, validation, idempotency and events included. Rate
 * limits are not checked here.
 * @throws DomainError, ValidationError
 */
export function createInvoker({ context, requirePermission, answerKeyed }: InvokeOptions) {
  return ({ caller, reply, ended }: InvokeFor): Invoke =>
    async (endpoint, parts) => {
      recentRequests.note(caller)
      if (endpoint.permission) requirePermission(caller, endpoint.permission)
      requireRecordAccess(caller, endpoint)
      const work = () => {
        const sentQuery = queryOf(parts.query)
        const sentBody = endpoint.body ? parts.body : undefined
        const header = { 'idempotency-key': parts.idempotencyKey, 'if-match': parts.ifMatch }
        const values = { path: parts.params ?? {}, query: sentQuery, header, body: sentBody }
        const { key, ...input } = readInput(endpoint, values)
        const request = {
          ...{ ...input, caller, context, browser: null, org: context.database.org(caller.orgId, caller) },
          ...{ stream: undefined, streamBytes: 0, streamCharset: undefined, ended },
        }
        const token = () => ''
        return perform({ endpoint, request, key, sentBody, sentQuery, token }, reply, answerKeyed)
      }
      return endpoint.isLong && endpoint.effect !== 'outside' ? limitLongWork(caller.payerId, work) : work()
    }
}

function queryOf(query: Parts['query'] = {}): URLSearchParams {
  const sent = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== null) sent.append(name, String(one))
  return sent
}
