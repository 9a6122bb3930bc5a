import type { Readable } from 'node:stream'
import { DomainError } from '../domain-error.ts'

const timeoutMs = 30_000

/** The chunks of a file of a request. @throws DomainError request_timeout if the file takes more than 30 seconds */
export async function* timelyChunks(stream: Readable): AsyncGenerator<Buffer> {
  const late = new DomainError('request_timeout', 'The file did not arrive within 30 seconds; send it again.')
  const timer = setTimeout(() => stream.destroy(late), timeoutMs).unref()
  try {
    yield* stream as AsyncIterable<Buffer>
  } finally {
    clearTimeout(timer)
  }
}
