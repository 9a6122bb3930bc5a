import type { FastifyReply, FastifyRequest } from 'fastify'
import { Counts } from '../counts.ts'
import { tooMany } from '../domain-error.ts'
import { inSlices, nextSlice } from '../slices.ts'

/**
 * How many answers of one client address may wait for their turn. A client can send any number of requests on one
 * connection, and each keeps memory while it waits.
 */
const waitingMax = 128
/** The same for all addresses together. */
const waitingOfAllMax = 2_048

const waiting = new Counts()
let total = 0

/**
 * Sends a file that everybody may read. Writing a megabyte takes up to a millisecond, and no rate limit counts these
 * requests. So each iteration of the event loop sends few files, and client addresses take turns.
 * @throws DomainError too_many if too many files wait
 */
export async function sendInTurn(
  { ip }: FastifyRequest,
  reply: FastifyReply,
  body: Buffer,
): Promise<FastifyReply> {
  if (waiting.of(ip) >= waitingMax || total >= waitingOfAllMax)
    throw tooMany('rate_limit_exceeded', 'Too many requests for files at once: wait for some answers first', {
      retryAfterSeconds: 1,
    })
  const owner = `files for ${ip}`
  waiting.add(ip, 1)
  total += 1
  try {
    await nextSlice(owner)
  } finally {
    waiting.add(ip, -1)
    total -= 1
  }
  return inSlices(owner, sending(reply, body))
}

// biome-ignore lint/correctness/useYield: the answer is one slice, whose time is counted
function* sending(reply: FastifyReply, body: Buffer): Generator<never, FastifyReply> {
  return reply.send(body)
}
