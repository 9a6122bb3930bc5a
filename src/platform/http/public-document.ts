import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A page or a file that is the same for all readers until the server restarts. */
export class PublicDocument {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
  readonly etag: string
  #zipped: Promise<Buffer> | null = null

  /** @param headers the headers of the answer, including the content type */
  constructor(headers: Readonly<Record<string, string>>, body: string | Buffer) {
    this.headers = headers
    this.body = body
    // A weak tag, because compressed bytes have the same tag. The headers are part of it, because a 304 does not
    // replace them.
    const content = hash('sha256', body)
    this.etag = `W/"${hash('sha256', `${JSON.stringify(headers)} ${content}`).slice(0, 32)}"`
  }

  zipped(): Promise<Buffer> {
    this.#zipped ??= promisify(gzip)(this.body, { level: 9 })
    return this.#zipped
  }
}

/** @param own headers of this answer alone */
export async function sendDocument(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  document: PublicDocument,
  own: Readonly<Record<string, string>> = {},
): Promise<FastifyReply> {
  const isText = typeof document.body === 'string' || /^text\//.test(document.headers['content-type'] ?? '')
  reply.headers({ 'cache-control': 'no-cache', ...document.headers, ...own, etag: document.etag })
  if (isText) reply.header('vary', 'accept-encoding')
  const tags = headers['if-none-match']?.split(/\s*,\s*/) ?? []
  if (tags.includes(document.etag)) return reply.code(304).send()
  if (!isText || !acceptsGzip(headers['accept-encoding'])) return reply.send(document.body)
  return reply.header('content-encoding', 'gzip').send(await document.zipped())
}

const acceptsGzip = (accepted: string | string[] = '') =>
  /(^|[\s,])(gzip|\*)\s*(,|$|;\s*q=(?!0(\.0*)?\s*(,|$)))/i.test(String(accepted))
