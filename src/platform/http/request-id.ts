import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** The id that the client or a proxy sent, if it is one, or a new id. */
export function requestId(request: IncomingMessage): string {
  const sent = request.headers['x-request-id']
  return typeof sent === 'string' && /^[\w.:/+=-]{1,128}$/.test(sent) ? sent : randomUUID()
}
