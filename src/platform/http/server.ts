import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Caller } from '../caller.ts'
import type { Context } from '../context.ts'
import { notFound } from '../domain-error.ts'
import { allowedMethods, allowOf, methodNotAllowed, methodsByPath, methodsOf } from './allowed-methods.ts'
import { answerError } from './answer-error.ts'
import type { BodyRoom } from './body-room.ts'
import { closeInTime } from './closing.ts'
import type { Endpoint } from './endpoint.ts'
import { answerMalformed } from './malformed.ts'
import { nearestPath } from './nearest-path.ts'
import { defaultBytesMax, readBodies } from './request-body.ts'
import { type AnswerKeyed, register, urlOf } from './route.ts'
import { boundUnreadAnswers } from './unread-answers.ts'

/**
 * Authenticates a request, applies its limits and finds its org, synchronously if possible. It sets headers of the
 * reply, and throws a Problem to refuse the request.
 */
export type Gate = (request: FastifyRequest, reply: FastifyReply) => Caller | Promise<Caller>

/** Throws a Problem for a caller that lacks `permission`. Of a list, one permission is enough. */
export type PermissionCheck = (caller: Caller, permission: string | readonly string[]) => void

export type ServerOptions = {
  endpoints: readonly Endpoint[]
  context: Context
  gate: Gate
  requirePermission: PermissionCheck
  /** Answers requests with an Idempotency-Key. */
  answerKeyed: AnswerKeyed
  /** Routes without a key: health, metrics, documents. */
  publicRoutes: (server: FastifyInstance) => void
  /** How long a body may take; 30 seconds unless told. */
  bodyTimeoutMs?: number
  /** Where large bodies find room; one of the usual size unless told. */
  bodyRoom?: BodyRoom
  /** Told of each answer; `route` is the endpoint's path, 'none' where there is none. */
  onAnswer: (answer: { route: string; method: string; status: number; seconds: number }) => void
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
  }
  interface FastifyContextConfig {
    endpoint?: Endpoint
    /** Methods of the path, on the route that answers 405 to all others. */
    allow?: string
    /** Needs no key, and has no prefix: a proxy that guards `/metrics` need not know of `/v1/metrics`. */
    public?: boolean
  }
}

/** On every answer; routes of pages and documents set their own Cache-Control. */
const defaultHeaders = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

const maxHeaderBytes = 16 * 1024
/** Open connections of one process: beyond these there would be no room for those to the database. */
const maxConnections = 4_096

/** A server that answers `endpoints`, each under no prefix, /v1 and /api/v1. Not yet listening. */
export function createServer(options: ServerOptions): FastifyInstance {
  const { context } = options
  const server = fastify({
    // Fastify would log two lines a request; `onResponse` below logs one.
    logController: new LogController({ disableRequestLogging: true }),
    // Nothing is logged by the logger that it would make for each request.
    childLoggerFactory: (logger) => logger,
    // What Fastify itself reports at info is where it listens; the greeting says that.
    loggerInstance: context.log.child({}, { level: quieter(context.log.level) }) as FastifyBaseLogger,
    trustProxy: context.config.trustProxy as boolean,
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    // Ours says what to do; see closing.ts.
    return503OnClosing: false,
    bodyLimit: defaultBytesMax,
    // A whole request may take long only because an import streams; slow JSON bodies have a timer of their own.
    requestTimeout: 3_600_000,
    connectionTimeout: 75_000,
    // Proxies keep connections for shorter, or find them closed just as they send.
    keepAliveTimeout: 72_000,
    // Node looks for late headers every half minute unless told.
    http: { headersTimeout: 15_000, connectionsCheckingInterval: 1_000, maxHeaderSize: maxHeaderBytes },
    clientErrorHandler: answerMalformed,
    genReqId: requestId,
    rewriteUrl: withoutPrefix,
    routerOptions: {
      ignoreTrailingSlash: true,
      // As long as a header block can be: longer ones never come this far.
      maxParamLength: maxHeaderBytes,
      querystringParser: (text) => new URLSearchParams(text) as never,
    },
  })
  server.server.maxConnections = maxConnections
  server.decorateRequest('caller', null)
  const refuseWhenClosing = closeInTime(server)
  const allowed = allowedMethods(options.endpoints)
  const nearest = nearestPath(options.endpoints)

  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).headers(defaultHeaders)
    const { config } = request.routeOptions
    if (config.public && !hasPrefix(request.originalUrl)) return done()
    const admit = (caller: Caller) => {
      request.caller = caller
      request.bodyOwner = caller.payerOrgId
      const allow = config.allow ?? (request.is404 ? allowed(request.url) : null)
      if (allow && request.method === 'OPTIONS') return reply.code(204).header('allow', allow).send()
      if (allow) return done(methodNotAllowed(allow) as never)
      if (request.is404 || config.public) return done(pathNotFound(nearest(request.url)) as never)
      const permission = config.endpoint?.permission
      if (permission) options.requirePermission(caller, permission)
      done()
    }
    try {
      refuseWhenClosing()
      const admitted = options.gate(request, reply)
      if (admitted instanceof Promise) admitted.then(admit).catch(done)
      else admit(admitted)
    } catch (error) {
      done(error as never)
    }
  })

  server.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.config.endpoint?.path ?? (request.routeOptions.url || 'none')
    const seconds = reply.elapsedTime / 1000
    options.onAnswer({ route, method: request.method, status: reply.statusCode, seconds })
    const line = {
      request_id: request.id,
      method: request.method,
      route,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      org_id: request.caller?.orgId,
      api_key_id: request.caller?.apiKeyId,
    }
    if (reply.statusCode >= 500) context.log.warn(line, 'answered')
    else context.log.debug(line, 'answered')
    done()
  })

  server.setErrorHandler((error, request, reply) => answerError(error, request, reply, context))
  server.setNotFoundHandler(() => {
    throw pathNotFound(undefined)
  })
  readBodies(server, { timeoutMs: options.bodyTimeoutMs, room: options.bodyRoom })
  boundUnreadAnswers(server)
  options.publicRoutes(server)
  registerAll(server, options)
  return server
}

function registerAll(server: FastifyInstance, { endpoints, context, answerKeyed }: ServerOptions): void {
  for (const endpoint of endpoints) register(server, endpoint, context, answerKeyed)
  // Without these DELETE /deals/stages would be the deletion of a deal of that name.
  const used = new Set(endpoints.flatMap(methodsOf))
  for (const [path, taken] of methodsByPath(endpoints)) {
    const others = [...used.difference(taken)]
    if (others.length > 0)
      server.route({
        method: others,
        url: urlOf(path),
        config: { allow: allowOf(taken) },
        handler: () => {
          throw methodNotAllowed(allowOf(taken))
        },
      })
  }
}

/** @param nearest the path that may be meant; only callers with a key learn it */
const pathNotFound = (nearest: string | undefined) =>
  notFound(
    'path_not_found',
    nearest === undefined ? 'Not Found' : `Not Found. The nearest path is ${nearest}`,
  )

function requestId(request: IncomingMessage): string {
  const sent = request.headers['x-request-id']
  return typeof sent === 'string' && /^[\w.:/+=-]{1,128}$/.test(sent) ? sent : randomUUID()
}

/** A whole address as a target means the same as its path (RFC 9112, section 3.2.2). */
function originForm(target: string): string {
  return target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*/i, '') || '/'
}

const hasPrefix = (target: string) => /^(\/api)?\/v1\//.test(originForm(target))

/** The same path without its version prefix; a path that cannot be decoded becomes one that no route has. */
function withoutPrefix(request: { url?: string | undefined }): string {
  const url = originForm(request.url ?? '/')
  const path = url.startsWith('/api/v1/') ? url.slice(7) : url.startsWith('/v1/') ? url.slice(3) : url
  if (!path.includes('%')) return path
  try {
    decodeURIComponent(path.replace(/\?.*$/s, ''))
    return path
  } catch {
    return '/path-that-cannot-be-decoded'
  }
}

function quieter(level: string): string {
  return level === 'info' ? 'warn' : level
}
