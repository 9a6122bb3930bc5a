import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import type { RefusalCode } from '../error-codes/catalog.ts'
import type { ProblemBody } from './problem.ts'

export const maxHeaderBytes: number = 16 * 1024
/**
 * Node 26 refuses a request with more headers (Node 20 silently drops the headers above the limit). 1,000 short headers
 * with different names would block the thread for 0.7 ms.
 */
export const maxHeaders = 100

const answers: Record<string, [number, string, string, RefusalCode]> = {
  HPE_HEADER_OVERFLOW: [
    431,
    'Request Header Fields Too Large',
    'There are more than 100 headers, or they are larger than 16 KiB; send fewer or shorter ones',
    'headers_too_large',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [
    408,
    'Request Timeout',
    'The request did not arrive in time; send it again',
    'request_timeout',
  ],
}

/**
 * Answers a request that is incomplete or not HTTP. Writes to the socket, because such a request has no reply object.
 */
export function answerMalformed(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const [status, reason, detail, code] = answers[error.code ?? ''] ?? [
    400,
    'Bad Request',
    'This is not a well-formed HTTP/1.1 request',
    'malformed_request',
  ]
  const body = JSON.stringify({ detail, code } satisfies ProblemBody)
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `X-Request-Id: ${randomUUID()}\r\nCross-Origin-Opener-Policy: same-origin\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}
