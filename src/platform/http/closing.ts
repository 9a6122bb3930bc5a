import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { unavailable } from '../domain-error.ts'

/** How long requests in flight may take once the server closes. */
const graceMs = 4_000

/**
 * Closes `server` within the grace: what is in flight is finished, what comes after on an open connection is refused,
 * and what is not done in time is cut off.
 * @returns throws a DomainError unavailable while the server closes
 */
export function closeInTime(server: FastifyInstance): () => void {
  let closing = false
  // Browsers open connections ahead of need; Node does not count those among the idle ones.
  const unused = new Set<Socket>()
  server.server.on('connection', (socket: Socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  server.server.on('request', ({ socket }: IncomingMessage) => unused.delete(socket))
  server.addHook('preClose', (done) => {
    closing = true
    for (const socket of unused) socket.destroy()
    const timer = setTimeout(() => server.server.closeAllConnections(), graceMs)
    server.server.once('close', () => clearTimeout(timer))
    done()
  })
  return () => {
    if (closing)
      throw unavailable(
        'server_stopping',
        'This server is stopping. Send the request again, to another server or in a few seconds',
        { retryAfterSeconds: 1, headers: { connection: 'close' } },
      )
  }
}
