import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../caller.ts'
import type { Context } from '../context.ts'
import { recentRequests } from '../recent-requests.ts'
import { limitFiles, limitLongWork } from '../slices.ts'
import { methodsOf } from './allowed-methods.ts'
import { mayCompress, sendCompressed } from './compressed.ts'
import { effectWithoutKey } from './effect-transactions.ts'
import type { Endpoint } from './endpoint.ts'
import { type AnswerKeyed, perform } from './perform.ts'
import { isLonger, readRequest } from './read-request.ts'
import type { RequestingBrowser } from './requesting-browser.ts'
import { type SerializedAnswer, send } from './response.ts'
import { type FileAnswer, sendFile } from './send-file.ts'

/**
 * Asks the database about the rights of a caller whose request takes long.
 * @throws DomainError if the caller lost the permission, or may no longer act on the org
 */
export type RightsCheck = (caller: Caller, permission: Endpoint['permission']) => Promise<unknown>

/** The path of an endpoint in Fastify's syntax: `/contacts/:contact_id`. */
export const urlOf = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1')

export type RouteOptions = {
  answerKeyed: AnswerKeyed
  requireRights: RightsCheck
  /** @throws DomainError forbidden if the person must confirm their identity first */
  requireConfirmation: (browser: RequestingBrowser) => void
  /** Aborts when the server begins to close. */
  closing: AbortSignal
}

/** Adds the route of an endpoint to the server: it parses the request, runs the handler and sends the answer. */
export function register(
  server: FastifyInstance,
  endpoint: Endpoint,
  context: Context,
  { answerKeyed, requireRights, requireConfirmation, closing }: RouteOptions,
): void {
  const routed = {
    config: { endpoint, consoleOnly: endpoint.audience === 'console' },
    ...(endpoint.bodyLimit ? { bodyLimit: endpoint.bodyLimit } : {}),
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const caller = request.caller!
      recentRequests.note(caller)
      if (endpoint.shape === 'file')
        return limitFiles(caller.payerId, async () =>
          sendFile(reply, await file(request, reply, caller), () =>
            requireRights(caller, endpoint.permission),
          ),
        )
      const work = () => answer(request, reply, caller)
      // A request with an outside effect never counts as long, because it leaves the thread free while it
      // waits.
      const isLong = (endpoint.isLong || isLonger(request.body, largeBytes)) && endpoint.effect !== 'outside'
      const answered = isLong ? await limitLongWork(caller.payerId, work) : await work()
      const write = mayCompress(request) ? sendCompressed : send
      return write(reply, caller.payerId, answered)
    },
  }
  server.route({ ...routed, method: methodsOf(endpoint), url: urlOf(endpoint.path) })
  if (endpoint.alsoQuery) server.route({ ...routed, method: 'QUERY', url: urlOf(endpoint.alsoQuery) })

  async function inputOf(request: FastifyRequest, reply: FastifyReply, caller: Caller) {
    const parsed = await readRequest(endpoint, request, caller.payerId)
    const org = context.database.org(caller.orgId, caller)
    const { browser } = request
    // Check the input first: otherwise a person would type their password for a request that is then refused.
    if (browser && endpoint.confirm) requireConfirmation(browser)
    return { ...parsed, caller, context, browser, org, ended: () => endOf(reply, closing) }
  }

  async function file(request: FastifyRequest, reply: FastifyReply, caller: Caller): Promise<FileAnswer> {
    const input = await inputOf(request, reply, caller)
    const answered = await endpoint.handle({ ...input, staged: undefined, once: effectWithoutKey(input.org) })
    return answered as FileAnswer
  }

  async function answer(
    request: FastifyRequest,
    reply: FastifyReply,
    caller: Caller,
  ): Promise<SerializedAnswer> {
    const { key, sentBody, ...input } = await inputOf(request, reply, caller)
    const sentQuery = request.query as URLSearchParams
    const token = () => acceptedToken(request)
    return perform({ endpoint, request: input, key, sentBody, sentQuery, token }, reply, answerKeyed)
  }
}

/** The token that the gate accepted: an API key, or the token of a session. */
const acceptedToken = ({ headers, browser }: FastifyRequest) =>
  browser ? (browser.token ?? '') : (headers.authorization?.trim().split(' ').at(-1) ?? '')

/** Created once, because an exception with its stack takes 10 µs. */
const clientGone = new DOMException('The client has disconnected', 'AbortError')

/** Aborts when the client is gone, or the server begins to close. */
function endOf(reply: FastifyReply, closing: AbortSignal): AbortSignal {
  const gone = new AbortController()
  if (reply.request.raw.socket.destroyed) gone.abort(clientGone)
  else reply.raw.once('close', () => gone.abort(clientGone))
  return AbortSignal.any([gone.signal, closing])
}

/** A request with a larger body counts as long. */
const largeBytes = 64 * 1024
