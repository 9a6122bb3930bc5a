import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Counts } from '../counts.ts'
import { unavailable } from '../domain-error.ts'

/** Smaller answers are not counted: the rate limits bound them. */
const smallBytes = 16 * 1024

/**
 * Refuses requests of an org while its large answers wait to be read: a client that never reads would fill the memory
 * of the process. Files are not counted, because they are made only as fast as the client reads.
 */
export function limitUnreadAnswers(server: FastifyInstance, bytesMax: number = 32 * 1024 * 1024): void {
  /** The bytes that wait to be read, by payer. */
  const unread = new Counts()
  const tooMany = ({ caller }: FastifyRequest) => caller !== null && unread.of(caller.payerId) >= bytesMax
  server.addHook('preHandler', (request, _reply, done) => {
    done(tooMany(request) ? (unreadRefusal() as never) : undefined)
  })
  server.addHook('onSend', (request, reply, payload, done) => {
    const bytes = bytesOf(reply, payload)
    if (!request.caller || request.method === 'HEAD' || bytes <= smallBytes) return done()
    // The client is already gone: nothing waits, and no `close` follows.
    if (request.raw.socket.destroyed) return done()
    // A GET changed nothing, so it can be refused after its work.
    if (request.method === 'GET' && tooMany(request)) return done(unreadRefusal() as never)
    const { payerId } = request.caller
    unread.add(payerId, bytes)
    // Listen to `close`: `finish` does not fire if the client is gone.
    reply.raw.once('close', () => unread.add(payerId, -bytes))
    done()
  })
}

/** A compressed answer is a buffer. A stream has a `content-length` only if its pieces already are in memory. */
const bytesOf = (reply: FastifyReply, payload: unknown) =>
  typeof payload === 'string' || payload instanceof Buffer
    ? payload.length
    : Number(reply.getHeader('content-length') ?? 0)

const unreadRefusal = () =>
  unavailable(
    'answers_unread',
    'Too many answers to requests of this organization wait to be read; nothing was changed. Read them, and try again',
    { retryAfterSeconds: 2 },
  )
