import { setMaxListeners } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { unavailable } from '../domain-error.ts'
import { Draining } from './draining.ts'

/** The time that requests in progress get after the server starts to close. */
const graceMs = 4_000
/** A server that drained serves its open connections for this time, after it stopped listening. */
const openMs = 1_000
const closeIdleEveryMs = 50

/**
 * Closes `server`: finishes requests in progress within the grace time, refuses later ones, and then cuts all
 * connections.
 * @returns `refuse`, which throws DomainError unavailable after closing began, and a signal that fires when it begins
 */
export function closeGracefully(
  server: FastifyInstance,
  draining = new Draining(),
): { refuse: () => void; closing: AbortSignal } {
  draining.announceOn(server)
  const closing = new AbortController()
  let isRefusing = false
  // Allow any number of listeners: each waiting request is one.
  setMaxListeners(0, closing.signal)
  // Browsers open connections in advance. Node does not count these as idle.
  const unused = new Set<Socket>()
  server.server.on('connection', (socket: Socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  server.server.on('request', ({ socket }: IncomingMessage) => unused.delete(socket))
  const { closeIdleConnections } = server.server
  const refuseNow = () => {
    isRefusing = true
    server.server.closeIdleConnections = closeIdleConnections
    server.server.closeIdleConnections()
    for (const socket of unused) socket.destroy()
  }
  let timers: NodeJS.Timeout[] = []
  server.addHook('preClose', (done) => {
    closing.abort()
    timers = [
      setTimeout(() => server.server.closeAllConnections(), graceMs),
      // A connection with a request in progress is idle after the answer.
      setInterval(() => server.server.closeIdleConnections(), closeIdleEveryMs).unref(),
    ]
    if (draining.isOn) {
      // Node closes idle connections when it stops listening, even if a request has just arrived on one.
      server.server.closeIdleConnections = () => {}
      timers.push(setTimeout(refuseNow, openMs))
    } else refuseNow()
    done()
  })
  server.addHook('onClose', async () => timers.forEach(clearInterval))
  const refuse = () => {
    if (isRefusing)
      throw unavailable(
        'server_stopping',
        'This server is stopping. Send the request again, to another server or in a few seconds',
        { retryAfterSeconds: 1, headers: { connection: 'close' } },
      )
  }
  return { refuse, closing: closing.signal }
}
