import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { FastifyReply } from 'fastify'
import { DomainError } from '../domain-error.ts'

/** The formats of files, and their content types: RFC 7111 for CSV, https://github.com/ndjson/ndjson-spec for JSON lines. */
export const fileTypes = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/x-ndjson',
} as const

export type FileFormat = keyof typeof fileTypes

/** A file whose pieces are made while it is sent. The status is sent with the first piece. */
export type FileAnswer = {
  /** The name under which browsers store it, without `.csv`. */
  name: string
  format: FileFormat
  pieces: AsyncGenerator<string, void>
  /** Aborts if the file must end early. The connection is then reset. */
  ending?: AbortSignal
}

/** The answer of an endpoint that sends a CSV file. `name` has no extension. */
export const csvFile = (name: string, pieces: FileAnswer['pieces']): FileAnswer => ({
  name,
  format: 'csv',
  pieces,
})

export type FileLimits = {
  /** How long a client may leave a piece unread. */
  idleMs: number
  /** How long the whole file may take. */
  totalMs: number
  /** How long after a check of the caller's rights the next piece needs another check. */
  checkMs: number
}

/**
 * An export keeps a snapshot of the database open while its client reads. Meanwhile, PostgreSQL cannot vacuum deleted
 * rows.
 */
const fileLimits: FileLimits = { idleMs: 30_000, totalMs: 30 * 60_000, checkMs: 2_000 }

/**
 * Returns when the client has the whole file, or has disconnected. The first piece is made before the status is sent,
 * so an unavailable database gives a 503. A later failure resets the connection: a client would take the part for the
 * whole file otherwise. The file also ends early if the caller loses its rights during the download.
 * @param requireRights throws DomainError unauthenticated or forbidden if the caller lost the right to read the file
 */
export async function sendFile(
  reply: FastifyReply,
  { name, format, pieces, ending }: FileAnswer,
  requireRights: () => Promise<unknown>,
  { idleMs, totalMs, checkMs }: FileLimits = fileLimits,
): Promise<FastifyReply> {
  const isHead = reply.request.method === 'HEAD'
  const first = isHead ? await pieces.return() : await pieces.next()
  const file = Readable.from(all())
  const breakOff = (reason: string) => () => file.destroy(new Error(reason))
  ending?.addEventListener('abort', () => file.destroy(ending.reason))
  async function* all(): AsyncGenerator<string, void> {
    let checkAt = performance.now() + checkMs
    for (let piece = first; !piece.done; piece = await pieces.next()) {
      if (performance.now() >= checkAt) {
        await requireRights().catch(throwRefusal)
        checkAt = performance.now() + checkMs
      }
      const idle = setTimeout(breakOff(`The client read nothing for ${idleMs} ms`), idleMs)
      try {
        yield piece.value
      } finally {
        clearTimeout(idle)
      }
    }
  }
  // Reset: a client or proxy with HTTP/1.0 takes the normal end of a connection for the end of the file.
  file.once('error', () => reply.raw.socket?.resetAndDestroy())
  reply
    .code(200)
    .headers({
      'content-type': fileTypes[format],
      'content-disposition': `attachment; filename="${name}.${format}"`,
    })
    .send(file)
  const total = setTimeout(breakOff(`The file took longer than ${totalMs} ms`), totalMs)
  await finished(reply.raw).catch(() => {})
  clearTimeout(total)
  await pieces.return().catch(() => {})
  return reply
}

/** Ignores an error that says nothing about the rights, such as an overloaded database: the file continues. */
function throwRefusal(error: unknown): void {
  if (error instanceof DomainError && (error.kind === 'unauthenticated' || error.kind === 'forbidden'))
    throw error
}
