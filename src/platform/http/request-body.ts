import type { IncomingMessage, ServerResponse } from 'node:http'
import { PassThrough } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { networkOf } from '../client-network.ts'
import { DomainError, invalid, tooLarge } from '../domain-error.ts'
import { nextSlice } from '../slices.ts'
import { BodyMemory, type Release } from './body-memory.ts'
import { isJsonContentType } from './json-body.ts'

const defaultTimeoutMs = 30_000
/** The maximum body size of most endpoints. */
export const defaultBytesMax: number = 1024 * 1024
/** Bodies up to this size reserve no room. On 4,096 connections, they need 64 MiB together. */
const smallBytes = 16 * 1024
/** How long the rest of a refused body is read, if its client has no key. */
const strangerDrainMs = 500
/** How many pieces of a refused body are read at a time. Four pieces of 64 KiB take a quarter of a millisecond. */
const drainedPieces = 4
/** The room of a streamed body: its pieces have 1 MiB, and a piece is in memory twice while it is saved. */
const streamBytes = 2 * 1024 * 1024
/** The room for bodies of requests without an org. */
const strangersBytes = 16 * 1024 * 1024

export type BodyOptions = { timeoutMs?: number | undefined; room?: BodyMemory | undefined }

type Done = (error: Error | null, body?: unknown) => void

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * The org whose room the body uses. '': the request has no org, and its body uses the room for strangers. Client
     * addresses share this room: one address could otherwise fill it with slow bodies.
     */
    bodyOwner: string
    /** The `charset` of the content type. */
    bodyCharset: string | undefined
  }
}

/**
 * Reads bodies of any content type as bytes: `route.ts` parses them after the permission check. Bodies that arrive too
 * slowly are cut off. Larger bodies wait for room, and keep it until the answer.
 */
export function readBodies(
  server: FastifyInstance,
  { timeoutMs = defaultTimeoutMs, room = new BodyMemory() }: BodyOptions,
): void {
  const strangersRoom = new BodyMemory({ bytes: strangersBytes })
  const held = new WeakMap<FastifyRequest, Release>()
  const takeRoomFor = (request: FastifyRequest) => async (bytes: number, gone: AbortSignal) => {
    const { bodyOwner: owner, ip } = request
    const taking =
      owner === '' ? strangersRoom.take(networkOf(ip), bytes, gone) : room.take(owner, bytes, gone)
    const release = await taking
    held.set(request, release)
    return release
  }
  server.decorateRequest('bodyOwner', '')
  server.decorateRequest('bodyCharset', undefined)
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', (request, payload, done) => {
    const takeRoom = takeRoomFor(request)
    if (isStreamed(request)) passStream(payload as IncomingMessage, takeRoom, done)
    else {
      const { bodyLimit } = request.routeOptions
      const owner = request.bodyOwner
      collect(payload as IncomingMessage, { limit: bodyLimit, timeoutMs, owner, takeRoom }, done)
    }
  })
  server.addHook('onRoute', (route) => {
    if (route.method === 'GET' || route.method === 'HEAD') return
    route.onSend = (request, _reply, _payload, sent) => {
      held.get(request)?.()
      sent()
    }
  })
  server.addHook('preParsing', (request, _reply, _payload, done) => {
    const type = request.headers['content-type']
    if (type !== undefined) {
      request.bodyCharset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(type)?.[1]
      request.raw.headers['content-type'] = simplifiedType(request, type)
    }
    done()
  })
  server.addHook('onSend', (request, reply, _payload, sent) => {
    const { raw, caller, bodyOwner, routeOptions } = request
    if (raw.complete || !hasBody(raw)) return sent()
    // Start before the answer is sent: Node.js would read the rest of the body as fast as it arrives.
    drain(raw, bodyOwner, caller ? timeoutMs : strangerDrainMs)
    // Close the connection: on each of thousands of connections, discarded bytes need memory too. Without the header,
    // the client would send its next request on the closed connection, and a proxy would send requests of other clients
    // on it.
    if (routeOptions.config.public && announcedBy(raw) > smallBytes) reply.header('connection', 'close')
    else if (!reply.raw.shouldKeepAlive) closeAfterBody(raw, reply.raw)
    sent()
  })
}

/** In bytes; 0 if the client announces no size. */
const announcedBy = ({ headers }: IncomingMessage) => Number(headers['content-length'] ?? 0)

const hasBody = (request: IncomingMessage) =>
  announcedBy(request) > 0 || request.headers['transfer-encoding'] !== undefined

/**
 * Replaces the content type with one that Fastify accepts. Fastify would answer 415 for a malformed one; this API
 * answers 422.
 */
function simplifiedType(request: FastifyRequest, type: string): string {
  const bare = type.replace(/;.*$/s, '').trim().toLowerCase()
  if (streamsOf(request).includes(bare)) return bare
  return isJsonContentType(type) ? 'application/json' : 'application/octet-stream'
}

const streamsOf = (request: FastifyRequest) => request.routeOptions.config.endpoint?.streams ?? []

const isStreamed = (request: FastifyRequest) =>
  streamsOf(request).includes(request.headers['content-type'] ?? '')

/**
 * Passes a copy of the request to its reader when there is room. A reader that stops early destroys its stream; it
 * would destroy the connection too if it had the request itself.
 */
function passStream(payload: IncomingMessage, takeRoom: TakeRoom, done: Done): void {
  const over = new AbortController()
  const onClose = () => over.abort(isOver)
  payload.once('close', onClose)
  takeRoom(streamBytes, over.signal).then(() => {
    payload.off('close', onClose)
    if (payload.destroyed) return done(bodyCutOff())
    // A connection may be cut before the handler reads. Without a listener, the error would end the process.
    const stream = new PassThrough().on('error', ignore)
    payload.on('error', (error) => stream.destroy(error)).pipe(stream)
    done(null, stream)
  }, done)
}

/** The owner of the slices that finish requests whose client left. */
const cutOff = 'cut off'

/** The reason of an abort. An abort without a reason makes an exception with a stack, which takes 10 µs. */
const isOver = 'the body is over'

type TakeRoom = (bytes: number, gone: AbortSignal) => Promise<Release>
type Collect = { limit: number; timeoutMs: number; owner: string; takeRoom: TakeRoom }

function collect(payload: IncomingMessage, { limit, timeoutMs, owner, takeRoom }: Collect, done: Done): void {
  // The client left before its request began: no event follows.
  if (payload.destroyed) {
    done(bodyCutOff())
    return
  }
  const announced = announcedBy(payload)
  if (announced > limit) {
    done(overLimit(limit))
    return
  }
  let body: Buffer = Buffer.alloc(0)
  let bytes = 0
  let hasRoom = false
  let isFinished = false
  // Made only for a body that waits: most are small, and a controller costs as much as reading them.
  let waiting: AbortController | null = null
  const finish = (error: Error | null) => {
    if (isFinished) return
    isFinished = true
    waiting?.abort(isOver)
    clearTimeout(timer)
    payload.off('data', onData).off('end', onEnd).off('error', onError)
    if (error) done(error)
    else done(null, body.subarray(0, bytes))
  }
  const onData = (piece: Buffer) => {
    const before = bytes
    bytes += piece.length
    if (bytes > limit) return finish(overLimit(limit))
    append(piece, before)
    if (bytes > smallBytes && before <= smallBytes) waitForRoom()
    else if (hasRoom) void takeTurn(payload, owner)
  }
  // Copy all pieces into one buffer: a list of 1-byte chunks would need a hundred times the memory.
  const append = (piece: Buffer, at: number) => {
    if (bytes <= body.length) piece.copy(body, at)
    else if (at === 0) body = piece
    else {
      const grown = Buffer.allocUnsafeSlow(
        hasRoom && announced >= bytes ? announced : Math.min(2 * bytes, limit),
      )
      body.copy(grown, 0, 0, at)
      piece.copy(grown, at)
      body = grown
    }
  }
  // Node.js reads up to 64 KiB after the pause, so a shorter body ends during the wait.
  const waitForRoom = () => {
    payload.pause()
    waiting = new AbortController()
    takeRoom(announced || limit, waiting.signal).then((release) => {
      if (isFinished) return release()
      hasRoom = true
      payload.resume()
    }, finish)
  }
  const onEnd = () => finish(null)
  // One after another: thousands of clients may leave at once, and to finish a request takes 0.1 ms.
  const onError = () => void nextSlice(cutOff).then(() => finish(bodyCutOff()))
  const onLate = () =>
    finish(new DomainError('request_timeout', 'The body did not arrive in time; send it again'))
  const timer = setTimeout(onLate, timeoutMs).unref()
  payload.on('data', onData).on('end', onEnd).on('error', onError)
}

const bodyCutOff = () => invalid('body_incomplete', 'The connection broke before the body was complete')

const overLimit = (limit: number) =>
  tooLarge(
    'body_too_large',
    `The body is larger than ${limit} bytes, the maximum of this endpoint; send less at a time`,
  )

/**
 * Discards the rest of the body of an answered request, so that its client reads the answer. Closes the connection if
 * that takes too long.
 */
function drain(request: IncomingMessage, owner: string, timeoutMs: number): void {
  const timer = setTimeout(() => request.destroy(), timeoutMs).unref()
  request.once('close', () => clearTimeout(timer))
  let pieces = 0
  // Unpipe: the rest of the body would wait for a reader, and block the requests after it.
  request
    .on('error', () => {})
    .unpipe()
    .on('data', () => {
      // Use a separate owner: accepted bodies must not wait for refused ones.
      if (++pieces % drainedPieces === 0) void takeTurn(request, `refused ${owner}`)
    })
    .resume()
}

/**
 * Closes the connection after the rest of the body. Node.js would close it after the answer. Some clients read the answer
 * only after they sent the whole body, such as Python's urllib: they would see a broken connection.
 */
function closeAfterBody(request: IncomingMessage, response: ServerResponse): void {
  response.shouldKeepAlive = true
  response.removeHeader('connection')
  const closeIfOver = () => {
    if (request.complete && response.writableFinished) request.socket.end()
  }
  request.once('end', closeIfOver)
  response.once('finish', closeIfOver)
}

/**
 * Reads the next 64 KiB at most, in a slice of the owner's thread time. libuv would read up to 2 MiB of one connection
 * before it reads from the next.
 */
async function takeTurn(request: IncomingMessage, owner: string): Promise<void> {
  request.pause()
  await nextSlice(owner)
  request.resume()
}

function ignore(): void {}
