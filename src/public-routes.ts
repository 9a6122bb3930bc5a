import type { FastifyInstance, FastifyRequest } from 'fastify'
import { apiDocumentSteps } from './api-document.ts'
import type { ConsoleBuild } from './console/build.ts'
import { serveConsole } from './console/pages.ts'
import { serveDemoShop } from './demo/shop/routes.ts'
import { serveGuides } from './guides/routes.ts'
import { serveTools, type ToolServerParts } from './mcp/route.ts'
import { type OauthParts, serveOauth } from './oauth/pages.ts'
import { inTime } from './platform/busy-thread.ts'
import { linkOrigin } from './platform/config.ts'
import { isEqualInConstantTime } from './platform/constant-time.ts'
import type { Context } from './platform/context.ts'
import { forbidden } from './platform/domain-error.ts'
import { noteExplained } from './platform/http/answer-error.ts'
import type { Draining } from './platform/http/draining.ts'
import { openRoute, PublicDocument, sendDocument } from './platform/http/public-document.ts'
import { serveReferencePage } from './platform/http/reference-page.ts'
import { isLoopbackHost } from './platform/loopback.ts'
import type { Metrics } from './platform/metrics.ts'
import type { Supervised } from './platform/processes/supervised.ts'
import type { RedisLink } from './platform/rate-limit/redis-link.ts'
import type { SchemaCheck } from './platform/setup/schema-check.ts'
import { inSlices } from './platform/slices.ts'
import { serveInstallPages } from './signatures/manual/pages.ts'
import { serveBrowserSdk } from './tracking/browser-sdk/routes.ts'
import { type EmbeddedParts, serveEmbeddedForms } from './tracking/forms/public/embedded-routes.ts'
import { serveFormPages } from './tracking/forms/public/page-routes.ts'
import type { ReceiveParts } from './tracking/ingest/receive.ts'
import { serveTracking } from './tracking/ingest/routes.ts'
import { serveVoiceCallbacks } from './voice/calls/callback-routes.ts'

/** `/readyz` waits this long for the database, and then for the state of its schema. */
const readyTimeoutMs = 2_000

export type PublicParts = {
  context: Context
  metrics: Metrics
  redis: RedisLink | null
  supervised: Supervised | null
  draining: Draining
  schema: SchemaCheck
  console: ConsoleBuild
  ingest: ReceiveParts
  forms: EmbeddedParts
  tools: ToolServerParts
  oauth: OauthParts
}

/** Adds the routes that need no key: health, metrics, the documents, and the callbacks of other services. */
export function publicRoutes(parts: PublicParts): (server: FastifyInstance) => void {
  const { context, metrics, redis, supervised, draining, schema, console, ingest, forms, tools, oauth } =
    parts
  return (server) => {
    server.get('/healthz', openRoute, () => ({ status: 'ok' }))
    server.get('/readyz', openRoute, async (request, reply) => {
      if (draining.isOn) {
        noteExplained(request)
        return reply.code(503).send({ status: 'stopping' })
      }
      const database = (await context.database.answers(readyTimeoutMs)) ? 'up' : 'down'
      const state =
        database === 'up' ? await inTime(readyTimeoutMs, schema.state()).catch(() => 'unknown') : 'unknown'
      const isReady = state === 'up to date'
      return reply.code(isReady ? 200 : 503).send({
        status: isReady ? 'ready' : 'not ready',
        database,
        schema: state,
        // Redis does not affect the status, because requests are also served without it.
        ...(redis && { redis: redis.isUp ? 'up' : 'down' }),
        ...(supervised && { api_processes: supervised.running }),
      })
    })
    server.get('/metrics', openRoute, async (request, reply) => {
      const { metricsToken } = context.config
      if (!mayReadMetrics(request, metricsToken)) {
        const detail =
          metricsToken === null
            ? 'Metrics are for programs on this machine that ask without a proxy; for all others, set METRICS_TOKEN and send Authorization: Bearer <METRICS_TOKEN>'
            : 'Metrics need Authorization: Bearer <METRICS_TOKEN>, as it is set here'
        throw forbidden('metrics_token_required', detail)
      }
      const { contentType, text } = await metrics.expose()
      return reply.header('content-type', contentType).send(text)
    })
    let openApi: Promise<PublicDocument> | null = null
    server.get('/openapi.json', openRoute, async (request, reply) => {
      openApi ??= openApiOf(context)
      return sendDocument(request, reply, await openApi)
    })
    serveVoiceCallbacks(server, context)
    serveTracking(server, ingest, context.config.publicUrl)
    serveFormPages(server, forms)
    serveEmbeddedForms(server, forms)
    serveTools(server, tools)
    serveOauth(server, oauth)
    serveBrowserSdk(server)
    serveDemoShop(server)
    serveInstallPages(server, context)
    serveGuides(server)
    serveReferencePage(server, 'Crosswalk Developer API', context.config.publicUrl)
    serveConsole(server, console, context.config.publicUrl)
    server.get('/', openRoute, (request, reply) => {
      if (request.headers.accept?.includes('text/html'))
        return reply.redirect(console.current.state === 'off' ? '/docs' : '/console', 302)
      return reply.send({
        name: 'Crosswalk',
        api: '/api/v1',
        console: '/console',
        reference: '/docs',
        guides: '/guides',
        openapi: '/openapi.json',
      })
    })
  }
}

async function openApiOf({ config }: Context): Promise<PublicDocument> {
  const steps = apiDocumentSteps(config.publicUrl, linkOrigin(config))
  const document = await inSlices('/openapi.json', steps)
  const headers = { 'content-type': 'application/json; charset=utf-8' }
  return new PublicDocument(headers, JSON.stringify(document))
}

function mayReadMetrics(request: FastifyRequest, token: string | null): boolean {
  if (token === null) return comesFromHere(request)
  const sent = /^bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? ''
  return isEqualInConstantTime(sent, token)
}

/**
 * Whether a program on this machine sent the request. A proxy on this machine usually adds a header, or passes the
 * client's host on.
 */
function comesFromHere({ raw, headers }: FastifyRequest): boolean {
  return (
    /^(::ffff:)?127\.|^::1$/.test(raw.socket.remoteAddress ?? '') &&
    isLoopbackHost(headers.host ?? '') &&
    !Object.keys(headers).some((name) => ofProxies.test(name))
  )
}
const ofProxies = /^(x-forwarded-.*|forwarded|via|x-real-ip|cf-connecting-ip|true-client-ip)$/
