import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { unavailable } from '../domain-error.ts'

/** The time that requests in progress get after the server starts to close. */
const graceMs = 4_000

/**
 * Closes `server` within the grace time. Requests in progress are finished. Later requests on an open connection are
 * refused. After the grace time, all connections are cut.
 * @returns a function that throws a DomainError unavailable while the server is closing
 */
export function closeInTime(server: FastifyInstance): () => void {
  let closing = false
  // Browsers open connections that they do not use yet. Node does not count these as idle connections.
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
