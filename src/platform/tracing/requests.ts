import type { FastifyInstance } from 'fastify'
import { beginSpan, type Span, within } from './trace.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The recorded span of the request; null if it is not recorded. */
    span: Span | null
  }
}

/** Probes and Prometheus ask these addresses all the time. */
const unrecorded = new Set(['/healthz', '/readyz', '/metrics'])

/**
 * Records each request as a span. The header `traceparent` of the request names the cause of the span. The address is
 * not recorded: the addresses of install pages and callbacks are secrets.
 */
export function traceRequests(server: FastifyInstance): void {
  server.decorateRequest('span', null)
  server.addHook('onRequest', (request, _reply, done) => {
    const { config, url } = request.routeOptions
    const route = config.endpoint?.path ?? (url || 'none')
    if (unrecorded.has(route)) return done()
    const { traceparent } = request.headers
    request.span = beginSpan(
      {
        name: `${request.method} ${route}`,
        kind: 'server',
        attributes: {
          'http.request.method': request.method,
          'http.route': route,
          'crosswalk.request_id': request.id,
        },
      },
      typeof traceparent === 'string' ? traceparent : null,
    )
    inSpanOf(request, done)
  })
  // The parser of the body leaves the span, so enter it again.
  server.addHook('preHandler', (request, _reply, done) => inSpanOf(request, done))
  server.addHook('onResponse', ({ span, caller }, { statusCode }, done) => {
    if (span) {
      span.set({ 'http.response.status_code': statusCode })
      if (caller) span.set({ 'crosswalk.org_id': caller.orgId })
      if (statusCode >= 500) span.fail({ name: String(statusCode) })
      span.end()
    }
    done()
  })
}

function inSpanOf({ span }: { span: Span | null }, done: () => void): void {
  if (span) within(span, done)
  else done()
}
