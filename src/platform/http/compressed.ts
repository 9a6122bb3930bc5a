import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type SerializedAnswer, send } from './response.ts'

const compress = promisify(gzip)

/** Smaller answers fit into a few packets anyway. */
const leastLength = 4_096
/**
 * The first records of a list have 80 kB. If the answers of a member had megabytes, their compression would keep all
 * processors busy.
 */
const mostLength = 256 * 1024

/**
 * Returns whether the answer may be compressed. The console asks for it with `x-compress`, and only for the first records of
 * a list (docs/decisions/0017-compressed-answers.md).
 */
export const mayCompress = ({ browser, headers }: FastifyRequest): boolean =>
  browser !== null &&
  headers['x-compress'] === '1' &&
  /\bgzip\b/.test(String(headers['accept-encoding'] ?? ''))

/** Sends an answer, compressed if it is long, but not longer than the first records of a list usually are. */
export async function sendCompressed(
  reply: FastifyReply,
  owner: string,
  answer: SerializedAnswer,
): Promise<FastifyReply> {
  const { body } = answer
  if (body === null || body.length < leastLength || body.length > mostLength)
    return send(reply, owner, answer)
  // The fastest level: the default one takes twice as long, and saves 6 %.
  const packed = await compress(body.text, { level: constants.Z_BEST_SPEED })
  return reply
    .code(answer.status)
    .headers({
      ...answer.headers,
      ...{ 'content-type': 'application/json; charset=utf-8', 'content-encoding': 'gzip' },
      vary: 'accept-encoding',
    })
    .send(packed)
}
