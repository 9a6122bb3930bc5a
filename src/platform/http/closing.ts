import { setMaxListeners } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { unavailable } from '../domain-error.ts'
import { Draining } from './draining.ts'

/** The time that requests in progress get after the server starts to close. */
const graceMs = 4_000
/** The time in which a client that was accepted sends its request. Only a server that drained waits for it. */
const settleMs = 500

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
  let isSettled = false
  // Allow any number of listeners: each waiting request is one.
  setMaxListeners(0, closing.signal)
  // Browsers open connections in advance. Node does not count these as idle.
  const unused = new Set<Socket>()
  server.server.on('connection', (socket: Socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  server.server.on('request', ({ socket }: IncomingMessage) => unused.delete(socket))
  const settle = () => {
    isSettled = true
    for (const socket of unused) socket.destroy()
  }
  server.addHook('preClose', (done) => {
    closing.abort()
    if (draining.isOn) setTimeout(settle, settleMs)
    else settle()
    const timer = setTimeout(() => server.server.closeAllConnections(), graceMs)
    server.server.once('close', () => clearTimeout(timer))
    done()
  })
  const refuse = () => {
    if (isSettled)
      throw unavailable(
        'server_stopping',
        'This server is stopping. Send the request again, to another server or in a few seconds',
        { retryAfterSeconds: 1, headers: { connection: 'close' } },
      )
  }
  return { refuse, closing: closing.signal }
}
