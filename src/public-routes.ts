import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { apiDocument } from './api-document.ts'
import { serveGuides } from './guides/routes.ts'
import type { Context } from './platform/context.ts'
import { forbidden } from './platform/domain-error.ts'
import { serveReferencePage } from './platform/http/reference-page.ts'
import type { Metrics } from './platform/metrics.ts'
import type { RedisLink } from './platform/rate-limit/redis-link.ts'
import { serveInstallPages } from './signatures/manual/pages.ts'
import { serveVoiceHooks } from './voice/calls/hooks.ts'

/** Routes without a key. They also answer HEAD, which load balancers send. */
const open = { config: { public: true }, exposeHeadRoute: true }
const readyTimeoutMs = 2_000

/** Adds the routes that need no key: health, metrics, the documents, and the callbacks of other services. */
export function publicRoutes(
  context: Context,
  metrics: Metrics,
  redis: RedisLink | null,
): (server: FastifyInstance) => void {
  return (server) => {
    server.get('/healthz', open, () => ({ status: 'ok' }))
    server.get('/readyz', open, async (_request, reply) => {
      const database = (await context.database.answers(readyTimeoutMs)) ? 'up' : 'down'
      return reply.code(database === 'up' ? 200 : 503).send({
        status: database === 'up' ? 'ready' : 'not ready',
        database,
        // Redis does not change the status: requests are also served without it.
        ...(redis && { redis: redis.isUp ? 'up' : 'down' }),
      })
    })
    server.get('/metrics', open, async (request, reply) => {
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
    let openApi: string | null = null
    server.get('/openapi.json', open, (_request, reply) => {
      openApi ??= JSON.stringify(apiDocument(context.config.publicUrl))
      return reply.header('content-type', 'application/json; charset=utf-8').send(openApi)
    })
    serveVoiceHooks(server, context)
    serveInstallPages(server, context)
    serveGuides(server)
    serveReferencePage(server, 'Crosswalk Developer API')
    server.get('/', open, (request, reply) => {
      if (request.headers.accept?.includes('text/html')) return reply.redirect('/docs', 302)
      return reply.send({
        name: 'Crosswalk',
        api: '/api/v1',
        reference: '/docs',
        guides: '/guides',
        openapi: '/openapi.json',
      })
    })
  }
}

function mayReadMetrics(request: FastifyRequest, token: string | null): boolean {
  const sent = Buffer.from(/^bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '')
  if (token !== null)
    return sent.length === Buffer.byteLength(token) && timingSafeEqual(sent, Buffer.from(token))
  return comesFromHere(request)
}

/**
 * Whether a program on this machine sent the request itself. A proxy on this machine connects from the same address,
 * but usually adds a header, or passes on the host that its client requested.
 */
function comesFromHere({ raw, headers }: FastifyRequest): boolean {
  return (
    /^(::ffff:)?127\.|^::1$/.test(raw.socket.remoteAddress ?? '') &&
    /^(localhost|127(\.\d{1,3}){3}|\[::1\])\.?(:\d*)?$/i.test(headers.host ?? '') &&
    !Object.keys(headers).some((name) => ofProxies.test(name))
  )
}
const ofProxies = /^(x-forwarded-.*|forwarded|via|x-real-ip|cf-connecting-ip|true-client-ip)$/
