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
import type { TrustProxy } from '../proxies.ts'
import { traceRequests } from '../tracing/requests.ts'
import { allowedMethods, allowOf, methodNotAllowed, methodsByPath, methodsOf } from './allowed-methods.ts'
import { answerError, isExplained } from './answer-error.ts'
import type { BodyMemory } from './body-memory.ts'
import { closeGracefully } from './closing.ts'
import { shareConnections } from './connection-shares.ts'
import { defaultHeaders } from './default-headers.ts'
import type { Draining } from './draining.ts'
import type { Endpoint } from './endpoint.ts'
import { findByValue } from './find-by-value.ts'
import { answerMalformed, maxHeaderBytes, maxHeaders } from './malformed.ts'
import { nearestPath } from './nearest-path.ts'
import { handleOneAtATime } from './one-at-a-time.ts'
import type { AnswerKeyed } from './perform.ts'
import { readQuery } from './read-query.ts'
import { requireRecordAccess } from './record-access.ts'
import { defaultBytesMax, readBodies } from './request-body.ts'
import { requestId } from './request-id.ts'
import type { LaneOf } from './request-turns.ts'
import type { RequestingBrowser } from './requesting-browser.ts'
import { type RightsCheck, register, urlOf } from './route.ts'
import { limitSmallPieces } from './small-pieces.ts'
import { limitUnreadAnswers } from './unread-answers.ts'

/**
 * Authenticates a request, checks its limits and finds its org, synchronously if possible. May set headers of the
 * reply.
 * @throws the refusal of the request
 */
export type Gate = (request: FastifyRequest, reply: FastifyReply) => Caller | Promise<Caller>

/** Throws an error if the caller lacks `permission`. If `permission` is a list, one of them is enough. */
export type PermissionCheck = (caller: Caller, permission: string | readonly string[]) => void

/** Serves requests with a member's session: its own endpoints, gate and confirmation. */
export type ConsoleApi = {
  /** The endpoints that people reach, and API keys do not. */
  endpoints: readonly Endpoint[]
  gate: Gate
  /** Throws an error if the person must confirm the request first. */
  requireConfirmation: (browser: RequestingBrowser) => void
}

export type ServerOptions = {
  endpoints: readonly Endpoint[]
  context: Context
  gate: Gate
  /** The lane of a request that must wait for the thread. By default all share one lane. */
  laneOf?: LaneOf
  requirePermission: PermissionCheck
  /** Called every few seconds while a file is sent. */
  requireRights: RightsCheck
  /** The console's API at /console/api. Without it, that path does not exist. */
  console?: ConsoleApi
  answerKeyed: AnswerKeyed
  /** Adds the routes that need no key: health, metrics, documents. */
  publicRoutes: (server: FastifyInstance) => void
  /** The time before a stop; by default a stop comes at once. */
  draining?: Draining
  /** The maximum time for receiving a body; 30 seconds by default. */
  bodyTimeoutMs?: number
  /** The room for large bodies; by default a room of the usual size. */
  bodyMemory?: BodyMemory
  /**
   * Called for each answer. `route` is the path of the endpoint; 'none' if there is none. `counted` is the org and
   * mode that the request counts for; null if no org accepted it.
   */
  onAnswer: (answer: {
    route: string
    method: string
    status: number
    seconds: number
    counted: Counted | null
  }) => void
}

/** The org and mode that a request counts for. */
type Counted = Pick<Caller, 'orgId' | 'mode'>

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
    browser: RequestingBrowser | null
    /** Set if the rate limit refuses a known key, member or app. */
    overLimit: Counted | null
  }
  interface FastifyContextConfig {
    endpoint?: Endpoint
    /** True for paths that exist only in the console's API. */
    consoleOnly?: boolean
    allow?: string
    /**
     * true: needs no key, and has no version prefix. So a proxy that guards `/metrics` need not guard `/v1/metrics`.
     * 'v1': needs no key, and has the prefix `/v1`.
     */
    public?: boolean | 'v1'
  }
}

/**
 * Which addresses may name the client. Fastify 5.12 trusts no address if the setting is a number, because the nearest
 * address could be a client. But an operator who sets a number of hops says that only proxies reach the server.
 */
const trustedProxies = (setting: TrustProxy) =>
  typeof setting === 'number' ? (_address: string, hop: number) => hop < setting : setting

/** Serves `endpoints` without a prefix, under /v1 and under /api/v1. The server does not listen yet. */
export function createServer(options: ServerOptions): FastifyInstance {
  const { context } = options
  const server = fastify({
    // `onResponse` below logs one line for each request. Fastify would log two.
    logController: new LogController({ disableRequestLogging: true }),
    // Return the same logger: Fastify would make one for each request.
    childLoggerFactory: (logger) => logger,
    // At level info, Fastify logs only its address, which the start message already shows.
    loggerInstance: context.log.child({}, { level: raisedLevel(context.log.level) }) as FastifyBaseLogger,
    trustProxy: trustedProxies(context.config.trustProxy),
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    // Crosswalk answers this 503 itself (closing.ts), with a text that says what to do.
    return503OnClosing: false,
    bodyLimit: defaultBytesMax,
    // An hour, because imports are streamed. JSON bodies have a shorter limit of their own.
    requestTimeout: 3_600_000,
    connectionTimeout: 75_000,
    // Longer than proxies keep idle connections: a proxy could use a connection that is being closed otherwise.
    keepAliveTimeout: 72_000,
    // Node checks for late headers only every 30 seconds by default.
    http: { headersTimeout: 15_000, connectionsCheckingInterval: 1_000, maxHeaderSize: maxHeaderBytes },
    clientErrorHandler: answerMalformed,
    genReqId: requestId,
    rewriteUrl: withoutPrefix,
    routerOptions: {
      ignoreTrailingSlash: true,
      // As long as all headers together, so that this limit never refuses a parameter.
      maxParamLength: maxHeaderBytes,
      querystringParser: (text) => readQuery(text) as never,
    },
  })
  server.server.maxHeadersCount = maxHeaders
  shareConnections(server.server, context.config, context.log)
  handleOneAtATime(server.server, options.laneOf)
  limitSmallPieces(server.server)
  server.decorateRequest('caller', null)
  server.decorateRequest('browser', null)
  server.decorateRequest('overLimit', null)
  const { refuse: refuseWhenClosing, closing } = closeGracefully(server, options.draining)
  const allowed = allowedMethods(options.endpoints)
  const nearest = nearestPath(options.endpoints)
  const hints = { nearest: nearest.ofMisread, findByValue: findByValue(options.endpoints) }
  if (context.config.traces) traceRequests(server)
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).headers(defaultHeaders)
    const { config } = request.routeOptions
    if (isOpen(config.public, request.originalUrl)) return done()
    const consoleApi = isConsole(request.raw) ? options.console : undefined
    const admit = (caller: Caller) => {
      request.caller = caller
      request.bodyOwner = caller.payerId
      if (config.consoleOnly && !consoleApi) return done(pathNotFound(nearest.hintFor(request.url)) as never)
      const allow = config.allow ?? (request.is404 ? allowed(request.url) : null)
      if (allow && request.method === 'OPTIONS') return reply.code(204).header('allow', allow).send()
      if (allow) return done(methodNotAllowed(allow, nearest.ofMisread(request.url)) as never)
      if (request.is404 || config.public) return done(pathNotFound(nearest.hintFor(request.url)) as never)
      const permission = config.endpoint?.permission
      if (permission) options.requirePermission(caller, permission)
      requireRecordAccess(caller, config.endpoint)
      done()
    }
    try {
      refuseWhenClosing()
      const admitted = (consoleApi?.gate ?? options.gate)(request, reply)
      if (admitted instanceof Promise) admitted.then(admit).catch(done)
      else admit(admitted)
    } catch (error) {
      done(error as never)
    }
  })

  server.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.config.endpoint?.path ?? (request.routeOptions.url || 'none')
    const seconds = reply.elapsedTime / 1000
    const counted = request.caller ?? request.overLimit
    options.onAnswer({ route, method: request.method, status: reply.statusCode, seconds, counted })
    const line = {
      request_id: request.id,
      method: request.method,
      route,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      org_id: request.caller?.orgId,
      api_key_id: request.caller?.apiKeyId ?? undefined,
      member_id: request.caller?.memberId ?? undefined,
    }
    if (reply.statusCode >= 500 && !isExplained(request)) context.log.warn(line, 'answered')
    else context.log.debug(line, 'answered')
    done()
  })

  server.setErrorHandler((error, request, reply) => answerError(error, request, reply, { context, hints }))
  server.setNotFoundHandler(() => {
    throw pathNotFound(undefined)
  })
  readBodies(server, { timeoutMs: options.bodyTimeoutMs, room: options.bodyMemory })
  limitUnreadAnswers(server)
  options.publicRoutes(server)
  registerAll(server, options, closing)
  return server
}

function registerAll(server: FastifyInstance, options: ServerOptions, closing: AbortSignal): void {
  const { context, answerKeyed, requireRights, console: webConsole } = options
  // Only a request to the console's API has a browser.
  const requireConfirmation = webConsole?.requireConfirmation ?? (() => {})
  const endpoints = [...options.endpoints, ...(webConsole?.endpoints ?? [])]
  const consoleOnly = consolePaths(options)
  for (const endpoint of endpoints)
    register(server, endpoint, context, { answerKeyed, requireRights, requireConfirmation, closing })
  // Register the other methods: DELETE /deals/stages would delete the deal "stages" otherwise.
  const used = new Set(endpoints.flatMap(methodsOf))
  for (const [path, taken] of methodsByPath(endpoints)) {
    const others = [...used.difference(taken)]
    if (others.length > 0)
      server.route({
        method: others,
        url: urlOf(path),
        config: { allow: allowOf(taken), consoleOnly: consoleOnly.has(path) },
        handler: () => {
          throw methodNotAllowed(allowOf(taken))
        },
      })
  }
}

/** Returns the paths whose endpoints are all for the console only. */
function consolePaths({ endpoints, console: webConsole }: ServerOptions): Set<string> {
  const shared = new Set(endpoints.map(({ path }) => path))
  return new Set((webConsole?.endpoints ?? []).map(({ path }) => path).filter((path) => !shared.has(path)))
}

/** @param hint names other paths. Only callers with a key get it */
const pathNotFound = (hint: string | undefined) =>
  notFound('path_not_found', hint === undefined ? 'Not Found' : `Not Found. ${hint}`)

/** Removes the address in front of a request's path: both forms mean the same (RFC 9112, section 3.2.2). */
function originForm(target: string): string {
  return target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*/i, '') || '/'
}

const hasPrefix = (target: string) => /^((\/api)?\/v1|\/console\/api)\//.test(originForm(target))

/** Returns whether a public route serves this target without a key. */
function isOpen(isPublic: boolean | 'v1' | undefined, target: string): boolean {
  if (isPublic === 'v1') return originForm(target).startsWith('/v1/')
  return isPublic === true && !hasPrefix(target)
}

const consolePrefix = '/console/api'
type Marked = { isConsole?: true }

/** True for a request to the console's API. */
const isConsole = (raw: object) => (raw as Marked).isConsole === true

/**
 * The path of a request without its version prefix. If the path cannot be decoded, returns a path that no route has.
 */
function withoutPrefix(request: { url?: string | undefined }): string {
  const url = originForm(request.url ?? '/')
  let path = url.startsWith('/api/v1/') ? url.slice(7) : url.startsWith('/v1/') ? url.slice(3) : url
  if (url.startsWith(`${consolePrefix}/`)) {
    ;(request as Marked).isConsole = true
    path = url.slice(consolePrefix.length)
  }
  if (!path.includes('%')) return path
  try {
    decodeURIComponent(path.replace(/\?.*$/s, ''))
    return path
  } catch {
    return '/path-that-cannot-be-decoded'
  }
}

const raisedLevel = (level: string): string => (level === 'info' ? 'warn' : level)
