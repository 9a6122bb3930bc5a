import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendInTurn } from './send-in-turn.ts'

/** The options of a GET route that needs no API key. It also answers HEAD. */
export const openRoute = { config: { public: true }, exposeHeadRoute: true }

/** A page or a file that is the same for all readers until the server restarts. */
export class PublicDocument {
  readonly headers: Readonly<Record<string, string>>
  /** Encoded once: encoding a megabyte for each answer would take milliseconds. */
  readonly body: Buffer
  readonly isText: boolean
  readonly etag: string
  #zipped: Promise<Buffer> | null = null

  /** @param headers the headers of the answer, including the content type */
  constructor(headers: Readonly<Record<string, string>>, body: string | Buffer) {
    this.headers = headers
    this.body = typeof body === 'string' ? Buffer.from(body) : body
    this.isText = typeof body === 'string' || /^text\//.test(headers['content-type'] ?? '')
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

/**
 * Sends a document, compressed if the client accepts gzip. If the client has it already, sends 304.
 * @param own headers of this answer alone
 * @throws DomainError too_many if too many files wait to be sent
 */
export async function sendDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  document: PublicDocument,
  own: Readonly<Record<string, string>> = {},
): Promise<FastifyReply> {
  const { headers } = request
  const { isText } = document
  reply.headers({ 'cache-control': 'no-cache', ...document.headers, ...own, etag: document.etag })
  if (isText) reply.header('vary', 'accept-encoding')
  const tags = headers['if-none-match']?.split(',').map((tag) => tag.trim()) ?? []
  if (tags.includes(document.etag)) return reply.code(304).send()
  if (!isText || !acceptsGzip(headers['accept-encoding'])) return sendInTurn(request, reply, document.body)
  return sendInTurn(request, reply.header('content-encoding', 'gzip'), await document.zipped())
}

const acceptsGzip = (accepted: string | string[] = '') =>
  /(^|[\s,])(gzip|\*)\s*(,|$|;\s*q=(?!0(\.0*)?\s*(,|$)))/i.test(String(accepted))
