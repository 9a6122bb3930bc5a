import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { invalid } from '../../platform/domain-error.ts'
import { readBrowser } from '../privacy/browser.ts'
import { corsHeaders, preflightHeaders } from '../wire/cors.ts'
import { keyInRequest } from '../wire/find-key.ts'
import { type WirePath, wirePaths } from '../wire/paths.ts'
import { sentBytesMax } from '../wire/read-body.ts'
import { rudderConfig, segmentSettings } from '../wire/settings.ts'
import { visitorCookie } from '../wire/visitor-cookie.ts'
import { countRequest, type ReceiveParts, receive, refuseOverBudget } from './receive.ts'
import type { Sender } from './senders.ts'

const success = { success: true }
const settingsHeaders = { 'cache-control': 'public, max-age=300' }

type Place = { url: string; config: { public: true | 'v1' } }

/** The paths have no prefix /v1: the server removes it before it looks for a route. */
function placeOf(path: string): Place {
  return path.startsWith('/v1/')
    ? { url: path.slice(3), config: { public: 'v1' } }
    : { url: path, config: { public: true } }
}

/**
 * Adds the routes of tracking clients, with the paths, answers and headers of Segment's, RudderStack's and Jitsu's servers.
 * @param publicUrl the address of this server; null: the address of each request
 */
export function serveTracking(server: FastifyInstance, parts: ReceiveParts, publicUrl: string | null): void {
  for (const wire of wirePaths) serveEvents(server, parts, wire)
  serveSettings(server, '/v1/projects/:key/settings', async (request) => {
    const { key } = request.params as { key: string }
    await parts.senders.find(key, request.ip)
    const address = URL.parse(publicUrl ?? `${request.protocol}://${request.host}`)
    if (!address)
      throw invalid('malformed_request', 'The host in the headers of this request is not a host name')
    return segmentSettings(key, address.host, address.protocol.slice(0, -1))
  })
  serveSettings(server, '/sourceConfig', async (request) => {
    const { writeKey } = await parts.senders.find(keyOf(request), request.ip)
    return rudderConfig(writeKey?.writeKeyId ?? 'api_key')
  })
}

function serveEvents(server: FastifyInstance, parts: ReceiveParts, wire: WirePath): void {
  const { url, config } = placeOf(wire.path)
  const senders = new WeakMap<FastifyRequest, Sender>()
  servePreflight(server, url, config)
  server.post(url, {
    config,
    bodyLimit: sentBytesMax,
    // Find the sender before the body is read, so that the body uses the memory limit of this sender's visitors.
    onRequest: async (request, reply) => {
      reply.headers(corsHeaders)
      const key = keyOf(request)
      const sender = key === null ? null : await parts.senders.find(key, request.ip, request.headers)
      if (sender) senders.set(request, sender)
      refuseOverBudget(await countRequest(parts, sender, request.ip))
      if (sender) request.bodyOwner = sender.owner
    },
    handler: async (request, reply) => {
      const { headers, ip } = request
      const { 'content-encoding': encoding, origin } = headers
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const sender = senders.get(request) ?? null
      const onSender = (found: Sender) => senders.set(request, found)
      const browser = readBrowser(headers, ip)
      await receive(parts, { wire, body, headers, encoding, origin, ip, browser, sender, onSender })
      const cookie = visitorCookie(headers)
      if (cookie) reply.header('set-cookie', cookie)
      return success
    },
    // Only count here: the server's own handler answers.
    errorHandler: (error, request) => {
      const sender = senders.get(request)
      const { origin } = request.headers
      if (sender) parts.faults.noteRefused({ sender, origin, type: wire.type }, error)
      throw error
    },
  })
}

function serveSettings(
  server: FastifyInstance,
  path: string,
  answer: (request: FastifyRequest) => Promise<object>,
): void {
  const { url, config } = placeOf(path)
  servePreflight(server, url, config)
  server.get(url, { config }, async (request, reply) => {
    reply.headers(corsHeaders)
    const settings = await answer(request)
    return reply.headers(settingsHeaders).send(settings)
  })
}

/** A preflight names no key, so every origin passes it. The origins of the key are checked when the events arrive. */
function servePreflight(server: FastifyInstance, url: string, config: Place['config']): void {
  server.options(url, { config }, (_request, reply: FastifyReply) =>
    reply.code(204).headers(corsHeaders).headers(preflightHeaders).send(),
  )
}

function keyOf({ headers, query }: FastifyRequest): string | null {
  return keyInRequest({ headers, query: (query as URLSearchParams).get('writeKey') })
}
