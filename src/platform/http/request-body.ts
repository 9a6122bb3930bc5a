import type { IncomingMessage } from 'node:http'
import { PassThrough, type Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { BodyRoom, type Release } from './body-room.ts'
import { isJsonContentType } from './json-body.ts'
import { Problem } from './problem.ts'

const usualTimeoutMs = 30_000
/** Larger ones, which few endpoints take, need room. */
export const smallBytes: number = 1024 * 1024

export type BodyOptions = { timeoutMs?: number | undefined; room?: BodyRoom | undefined }

type Done = (error: Error | null, body?: unknown) => void

/**
 * Takes bodies in as bytes, whatever their content type claims; `route.ts` parses them once the caller is known
 * to be allowed. A stream goes to endpoints that ask for its content type. Bodies that dribble in are cut off, and large
 * ones wait until there is room for them, which they hold until they are answered.
 */
export function readBodies(
  server: FastifyInstance,
  { timeoutMs = usualTimeoutMs, room = new BodyRoom() }: BodyOptions,
): void {
  const held = new WeakMap<FastifyRequest, Release>()
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', (request, payload, done) => {
    if (isStreamed(request)) done(null, handOver(payload as IncomingMessage))
    else {
      const takeRoom = async (bytes: number, gone: AbortSignal) => {
        const release = await room.take(request.caller?.orgId ?? '', bytes, gone)
        held.set(request, release)
        return release
      }
      const { bodyLimit } = request.routeOptions
      collect(payload as IncomingMessage, { limit: bodyLimit, timeoutMs, takeRoom }, done)
    }
  })
  server.addHook('onRoute', (route) => {
    if ((route.bodyLimit ?? 0) <= smallBytes) return
    route.onSend = (request, _reply, _payload, sent) => {
      held.get(request)?.()
      sent()
    }
  })
  server.addHook('preParsing', (request, _reply, _payload, done) => {
    const type = request.headers['content-type']
    if (type !== undefined) request.raw.headers['content-type'] = plainType(request, type)
    done()
  })
  server.addHook('onResponse', (request, _reply, done) => {
    if (!request.raw.complete) drain(request.raw, timeoutMs)
    done()
  })
}

/** What the answer depends on: Fastify refuses types that are not well-formed with a 415, which is not ours. */
function plainType(request: FastifyRequest, type: string): string {
  const stream = request.routeOptions.config.endpoint?.stream
  if (stream && type.split(';', 1)[0]!.trim().toLowerCase() === stream) return stream
  return isJsonContentType(type) ? 'application/json' : 'application/octet-stream'
}

function isStreamed(request: FastifyRequest): boolean {
  const stream = request.routeOptions.config.endpoint?.stream
  return stream !== undefined && request.headers['content-type'] === stream
}

/** Not the request itself: a reader that stops early would destroy it, and with it the way of the answer. */
function handOver(payload: IncomingMessage): Readable {
  const stream = new PassThrough()
  payload.on('error', (error) => stream.destroy(error)).pipe(stream)
  return stream
}

type Collect = {
  limit: number
  timeoutMs: number
  takeRoom: (bytes: number, gone: AbortSignal) => Promise<Release>
}

function collect(payload: IncomingMessage, { limit, timeoutMs, takeRoom }: Collect, done: Done): void {
  const announced = Number(payload.headers['content-length'] ?? 0)
  if (announced > limit) {
    done(tooLarge(limit))
    return
  }
  const pieces: Buffer[] = []
  let bytes = 0
  const over = new AbortController()
  const finish = (error: Error | null) => {
    if (over.signal.aborted) return
    over.abort()
    clearTimeout(timer)
    payload.off('data', onData).off('end', onEnd).off('error', onError)
    if (error) done(error)
    else done(null, Buffer.concat(pieces, bytes))
  }
  const onData = (piece: Buffer) => {
    bytes += piece.length
    if (bytes > limit) return finish(tooLarge(limit))
    pieces.push(piece)
    if (bytes > smallBytes && bytes - piece.length <= smallBytes) waitForRoom()
  }
  // Who goes away meanwhile is seen to if all that it sent was read: Node.js stops reading 64 KiB after the pause.
  const waitForRoom = () => {
    payload.pause()
    takeRoom(announced || limit, over.signal).then((release) => {
      if (over.signal.aborted) release()
      else payload.resume()
    }, finish)
  }
  const onEnd = () => finish(null)
  const onError = () => finish(new Problem(400, 'The connection broke before the body was complete'))
  const onLate = () => finish(new Problem(408, 'The body did not arrive in time; send it again'))
  const timer = setTimeout(onLate, timeoutMs).unref()
  payload.on('data', onData).on('end', onEnd).on('error', onError)
}

const tooLarge = (limit: number) =>
  new Problem(
    413,
    `The body is larger than ${limit} bytes, the most this endpoint takes; send less at a time`,
  )

/**
 * Throws away what still comes of an answered request, so that its client gets to read the answer; closes the
 * connection if that goes on for too long.
 */
function drain(request: IncomingMessage, timeoutMs: number): void {
  const timer = setTimeout(() => request.destroy(), timeoutMs).unref()
  request.once('close', () => clearTimeout(timer))
  // A stream that nobody reads would otherwise stop the rest of its body, and the requests behind it.
  request
    .on('error', () => {})
    .unpipe()
    .resume()
}
