import type { IncomingMessage } from 'node:http'
import { inSlices } from '../slices.ts'
import { reasonOf } from './connect.ts'

/** An honest server may send this many short parts of a body. */
const shortPartsMax = 1_000
/** The minimum average size in bytes of further parts. */
const partBytesMin = 64

/**
 * Whether a body comes in too many short parts, such as chunks of a single byte. Each takes a few microseconds of the
 * thread, and 100 bytes of memory.
 */
const hasTooManyParts = (parts: number, bytes: number): boolean =>
  parts > shortPartsMax + bytes / partBytesMin

/** Copies the pieces of a body into one buffer. To copy 11 MB in one step blocks the thread for up to 70 ms. */
function* joining(pieces: readonly Buffer[], bytes: number): Generator<undefined, Buffer> {
  const body = Buffer.allocUnsafeSlow(bytes)
  let at = 0
  for (const piece of pieces) {
    at += piece.copy(body, at)
    yield
  }
  return body
}

/**
 * Reads the complete body of an answer. If the body is too long, closes the connection.
 * @param host the server that answers; servers share the thread time for their bodies
 * @throws Error whose message continues "… was asked, but"
 */
export function readBody(answer: IncomingMessage, host: string, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const refuse = (why: string) => {
      chunks.length = 0
      reject(new Error(`its answer ${why}`))
      answer.destroy()
    }
    answer.on('data', (chunk: Buffer) => {
      // The parser gives the rest of what the socket received.
      if (answer.destroyed) return
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes > maxBytes) refuse(`has more than ${maxBytes} bytes`)
      else if (hasTooManyParts(chunks.length, bytes)) refuse('came in too many short parts')
    })
    answer.on('end', () => resolve(inSlices(`answers of ${host}`, joining(chunks, bytes))))
    answer.on('error', (error) => reject(new Error(`its answer broke off: ${reasonOf(error)}`)))
    answer.on('close', () => {
      if (!answer.complete) reject(new Error('its answer ended too early'))
    })
  })
}
