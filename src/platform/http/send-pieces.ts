import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { mapInSlices, nextSlice } from '../slices.ts'

/**
 * Sends a long text in pieces, and gives the thread back after each. Memory for several megabytes at once would be new to
 * the process, and its first use can take the thread longer than all other work of the request.
 */
export async function sendPieces(
  reply: FastifyReply,
  owner: string,
  pieces: readonly string[],
): Promise<FastifyReply> {
  const lengths = await mapInSlices(owner, pieces, (piece) => Buffer.byteLength(piece))
  const length = lengths.reduce((sum, bytes) => sum + bytes, 0)
  return reply.header('content-length', length).send(Readable.from(inTurns(owner, pieces)))
}

async function* inTurns(owner: string, pieces: readonly string[]): AsyncGenerator<Buffer, void> {
  for (const piece of pieces) {
    await nextSlice(owner)
    yield Buffer.from(piece)
  }
}
