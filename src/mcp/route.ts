import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../platform/caller.ts'
import type { Context } from '../platform/context.ts'
import { forbidden, invalid, tooMany } from '../platform/domain-error.ts'
import { refusalOf } from '../platform/http/answer-error.ts'
import type { Endpoint } from '../platform/http/endpoint.ts'
import type { Invoke, InvokeFor, Parts } from '../platform/http/invoke.ts'
import { isJsonContentType } from '../platform/http/json-body.ts'
import { ownLimits } from '../platform/http/json-limits.ts'
import { parsingJsonBody } from '../platform/http/json-pieces.ts'
import { parsedBody } from '../platform/http/read-request.ts'
import { isLoopbackHost } from '../platform/loopback.ts'
import type { RateDecision } from '../platform/rate-limit/rate-limit.ts'
import { inSlices, limitLargeBodies } from '../platform/slices.ts'
import { WrongArguments } from './failure-text.ts'
import type { CreateServer } from './server.ts'
import type { CallEndpoint, EndpointAnswer } from './tool.ts'

/** A caller of the tool server. */
export type AdmittedCaller = {
  caller: Caller
  /** Counts one more request against the caller's rate limit. `admit` counted the HTTP request already. */
  spend: () => RateDecision | Promise<RateDecision>
}

export type ToolServerParts = {
  context: Context
  endpoints: readonly Endpoint[]
  /** Finds the caller of a request. @throws DomainError unauthenticated, too_many */
  admit: (request: FastifyRequest, reply: FastifyReply) => Promise<AdmittedCaller>
  invoker: (request: InvokeFor) => Invoke
  /** By default, the server of Crosswalk's tools. */
  createServer?: CreateServer
}

declare module 'fastify' {
  interface FastifyRequest {
    admitted: AdmittedCaller | null
  }
}

const config = { public: true }
/** The library checks a message in one turn of the thread, so a message is smaller than a body of the API. */
const messageBytes = 128 * 1024
/** The library needs up to 4 µs for each object or list of a message. Hosts send less than 100, and 50 records have 400. */
const containersMax = 1_000

/**
 * Serves the Model Context Protocol (2026-07-28 and older, without sessions) at /mcp and /mcp/{org_id}: each POST is
 * independent of all others.
 */
export function serveTools(server: FastifyInstance, parts: ToolServerParts): void {
  const endpoints = new Map(parts.endpoints.map((endpoint) => [endpoint.name, endpoint]))
  const { publicUrl } = parts.context.config
  const ownHost = publicUrl === null ? null : new URL(publicUrl).host
  server.decorateRequest('admitted', null)
  // Loading the library blocks the thread for 100 ms. Servers without an https address load it at its first use.
  if (publicUrl?.startsWith('https:')) server.addHook('onReady', async () => void (await loadServer()))
  for (const url of ['/mcp', '/mcp/:org_id']) {
    server.post(url, {
      config,
      bodyLimit: messageBytes,
      onRequest: async (request, reply) => {
        refuseForeignOrigin(request, ownHost)
        const admitted = await parts.admit(request, reply)
        const { org_id: orgId } = request.params as { org_id?: string }
        if (orgId !== undefined && orgId.toLowerCase() !== admitted.caller.orgId)
          throw forbidden(
            'org_id_mismatch',
            'The address names another organization than the one that this request acts on; use /mcp without an id, connect the app to that organization, or name a client of your agency in X-Target-Org-Id',
          )
        request.admitted = admitted
        request.caller = admitted.caller
        request.bodyOwner = admitted.caller.payerId
      },
      handler: (request, reply) => answer(request, reply, parts, endpoints),
    })
    server.route({
      method: ['GET', 'DELETE'],
      url,
      config,
      handler: (_request, reply) => reply.code(405).header('allow', 'POST').send(),
    })
  }
}

// Cache it, because each import() would resolve the module again.
let loaded: Promise<typeof import('./server.ts') & typeof import('./plain-read.ts')> | null = null
function loadServer() {
  loaded ??= Promise.all([import('./server.ts'), import('./plain-read.ts')]).then(([server, plainRead]) => ({
    ...server,
    ...plainRead,
  }))
  return loaded
}

async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: ToolServerParts,
  endpoints: ReadonlyMap<string, Endpoint>,
): Promise<FastifyReply> {
  const { context, invoker } = parts
  const { caller, spend } = request.admitted!
  const type = request.headers['content-type']
  // The library would say that the message is not valid.
  if (!isJsonContentType(type))
    throw invalid(
      'malformed_request',
      'Send the message as JSON, with the header Content-Type: application/json',
    )
  const body = await parsedBody(request.body, type, caller.payerId, containersMax)
  // The library would accept a list and run each of its messages.
  if (Array.isArray(body))
    throw invalid('malformed_request', 'Send one message at a time: the tool server accepts no list')
  const ended = () => goneSignal(reply)
  const { answerMessage, plainReadIn, answerPlainRead } = await loadServer()
  const serverParts = {
    ...{ caller, org: context.database.org(caller.orgId, caller) },
    ...{ orgTokens: context.orgTokens, log: context.log, requestId: request.id },
    call: endpointCaller(invoker({ caller, reply, ended }), endpoints, { caller, spend }),
    consoleUrl: `${context.config.publicUrl ?? `${request.protocol}://${request.host}`}/console/o/${caller.orgId}`,
    refusalOf: (error: unknown) => refusalOf(error, request, context),
  }
  const read = parts.createServer ? null : plainReadIn(request.headers, body)
  if (read) {
    const { headers, text } = await answerPlainRead(read, serverParts)
    return reply.headers(headers).send(text)
  }
  const message = { request: webRequest(request, ended()), body }
  const response = await answerMessage(message, serverParts, parts.createServer)
  for (const [name, value] of response.headers) reply.header(name, value)
  return reply.code(response.status).send(await response.text())
}

/**
 * Calls endpoints by name. The HTTP request counts as the first call, and each further call counts as one more request.
 */
function endpointCaller(
  invoke: Invoke,
  endpoints: ReadonlyMap<string, Endpoint>,
  { caller, spend }: AdmittedCaller,
): CallEndpoint {
  let isPaid = true
  return async (name: string, call: Parts = {}) => {
    const endpoint = endpoints.get(name)
    if (!endpoint) throw new Error(`no endpoint has the name ${name}`)
    if (!isPaid) {
      const { allowed, retryAfterSeconds } = await spend()
      if (!allowed)
        throw tooMany('rate_limit_exceeded', 'Too many requests.', {
          retryAfterSeconds: retryAfterSeconds ?? 1,
        })
    }
    isPaid = false
    const { status, body } = await invoke(endpoint, call)
    const parsed = body === null ? null : await parsedAnswer(body.text, endpoint, caller.payerId)
    // If a call repeats its Idempotency-Key, a stored refusal is returned, and not thrown.
    if (status >= 400) {
      const { detail, code } = parsed as { detail: string; code: string }
      throw new WrongArguments(`${detail} (${code})`)
    }
    const isWrapped = endpoint.shape === 'data' || endpoint.shape === 'page'
    return (isWrapped ? parsed : { data: parsed, pagination: null }) as EndpointAnswer<never>
  }
}

/** Longer answers of endpoints are parsed in slices: a page of large records has megabytes. */
const slicedCharacters = 16 * 1024

async function parsedAnswer(body: string, { method }: Endpoint, payerId: string): Promise<unknown> {
  if (body.length <= slicedCharacters) return JSON.parse(body)
  const parse = () => inSlices(payerId, parsingJsonBody(Buffer.from(body), ownLimits))
  // A call that took effect must not fail because other calls of its payer wait.
  return method === 'GET' ? limitLargeBodies(payerId, parse) : parse()
}

/** Aborts if the client disconnects before it has the answer. */
function goneSignal({ raw, request }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  if (request.raw.socket.destroyed) gone.abort()
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort()
  })
  return gone.signal
}

/** The library reads the method, the protocol's headers and the parsed body. */
function webRequest({ headers, protocol, host, url }: FastifyRequest, signal: AbortSignal): Request {
  const sent = new Headers({
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  })
  for (const [name, value] of Object.entries(headers))
    if (name.startsWith('mcp-') && typeof value === 'string') sent.set(name, value)
  return new Request(`${protocol}://${host}${url}`, { method: 'POST', headers: sent, signal })
}

/**
 * Pages of other sites must not reach a server on their visitor's machine, even through a host name that they control.
 */
function refuseForeignOrigin({ headers, host }: FastifyRequest, ownHost: string | null): void {
  const isOwn = (place: string) => place === ownHost || isLoopbackHost(place)
  if (!isOwn(host))
    throw forbidden(
      'cross_site_request',
      `The tool server does not serve the host ${host}: set PUBLIC_URL to the address of this server`,
    )
  const { origin } = headers
  if (origin !== undefined && !(URL.canParse(origin) && isOwn(new URL(origin).host)))
    throw forbidden('cross_site_request', 'Pages of other sites may not use the tool server')
}
