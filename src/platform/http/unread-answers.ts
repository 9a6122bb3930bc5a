import type { FastifyInstance, FastifyRequest } from 'fastify'
import { unavailable } from '../domain-error.ts'

/** Smaller answers are not counted: the rate limits bound them. */
const smallBytes = 16 * 1024

/**
 * Refuses requests of an org while its large answers wait to be read: a client that never reads would fill the memory
 * of the process. Streams are not counted, because they send only as fast as the client reads.
 */
export function limitUnreadAnswers(server: FastifyInstance, bytesMax: number = 32 * 1024 * 1024): void {
  const unreadOf = new Map<string, number>()
  const add = (owner: string, bytes: number) => {
    const unread = (unreadOf.get(owner) ?? 0) + bytes
    if (unread > 0) unreadOf.set(owner, unread)
    else unreadOf.delete(owner)
  }
  const tooMany = ({ caller }: FastifyRequest) =>
    caller !== null && (unreadOf.get(caller.payerId) ?? 0) >= bytesMax
  server.addHook('preHandler', (request, _reply, done) => {
    done(tooMany(request) ? (unreadRefusal() as never) : undefined)
  })
  server.addHook('onSend', (request, reply, payload, done) => {
    if (
      !request.caller ||
      request.method === 'HEAD' ||
      typeof payload !== 'string' ||
      payload.length <= smallBytes
    )
      return done()
    // A GET changed nothing, so it can be refused after its work.
    if (request.method === 'GET' && tooMany(request)) return done(unreadRefusal() as never)
    const { payerId } = request.caller
    add(payerId, payload.length)
    // Listen to `close`: `finish` does not fire if the client is gone.
    reply.raw.once('close', () => add(payerId, -payload.length))
    done()
  })
}

const unreadRefusal = () =>
  unavailable(
    'answers_unread',
    'Too many answers to requests of this organization wait to be read; nothing was changed. Read them, and try again',
    { retryAfterSeconds: 2 },
  )
