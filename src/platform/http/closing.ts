import { setMaxListeners } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { unavailable } from '../domain-error.ts'

/** The time that requests in progress get after the server starts to close. */
const graceMs = 4_000

/**
 * Closes `server` within the grace time: finishes requests in progress, refuses later ones, and
 * then cuts all connections.
 * @returns `refuse`, which throws a DomainError unavailable while the server is closing, and a
 * signal that aborts when closing begins
 */
export function closeInTime(server: FastifyInstance): { refuse: () => void; closing: AbortSignal } {
  const closing = new AbortController()
  // Each waiting request listens to the signal.
  setMaxListeners(0, closing.signal)
  // Browsers open connections that they do not use yet. Node does not count these as idle connections.
  const unused = new Set<Socket>()
  server.server.on('connection', (socket: Socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  server.server.on('request', ({ socket }: IncomingMessage) => unused.delete(socket))
  server.addHook('preClose', (done) => {
    closing.abort()
    for (const socket of unused) socket.destroy()
    const timer = setTimeout(() => server.server.closeAllConnections(), graceMs)
    server.server.once('close', () => clearTimeout(timer))
    done()
  })
  const refuse = () => {
    if (closing.signal.aborted)
      throw unavailable(
        'server_stopping',
        'This server is stopping. Send the request again, to another server or in a few seconds',
        { retryAfterSeconds: 1, headers: { connection: 'close' } },
      )
  }
  return { refuse, closing: closing.signal }
}
