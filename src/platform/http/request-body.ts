import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from './problem.ts'

const bodyTimeoutMs = 30_000

/**
 * Takes bodies in as bytes, whatever their content type claims; `route.ts` parses them once the caller is known
 * to be allowed. A stream goes to endpoints that ask for its content type. Bodies that dribble in are cut off.
 */
export function readBodies(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  server.addContentTypeParser('text/csv', (request, payload, done) => {
    if (request.routeOptions.config.endpoint?.stream) return done(null, payload)
    // Elsewhere it is a body like any other, and refused as one: as no JSON object.
    const pieces: Buffer[] = []
    let bytes = 0
    payload.on('data', (piece: Buffer) => {
      bytes += piece.length
      if (bytes <= request.routeOptions.bodyLimit) pieces.push(piece)
    })
    payload.on('error', done)
    payload.on('end', () => {
      if (bytes <= request.routeOptions.bodyLimit) return done(null, Buffer.concat(pieces))
      done(Object.assign(new Error('too large'), { code: 'FST_ERR_CTP_BODY_TOO_LARGE' }))
    })
  })
  server.addHook('preParsing', (request, _reply, payload, done) => {
    if (!streams(request) && hasBody(request)) {
      const timer = setTimeout(() => {
        request.raw.destroy(new Problem(408, 'The body did not arrive within 30 seconds; send it again'))
      }, bodyTimeoutMs)
      const stop = () => clearTimeout(timer)
      payload.once('end', stop).once('close', stop)
    }
    done(null, payload)
  })
}

function streams(request: FastifyRequest): boolean {
  const type = request.routeOptions.config.endpoint?.stream
  return type !== undefined && (request.headers['content-type'] ?? '').toLowerCase().startsWith(type)
}

function hasBody(request: FastifyRequest): boolean {
  return (
    request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0
  )
}
