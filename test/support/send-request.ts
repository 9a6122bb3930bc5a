import { Agent, type IncomingMessage, request } from 'node:http'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'

type Sent = { method: string; headers: Record<string, string>; body: string | Uint8Array | null }

export type Received = {
  status: number
  headers: Headers
  text: string
  /** The JSON of the answer; null: the answer is empty, or no JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers, and assert their shape
  body: any
}

const agent = new Agent({ keepAlive: true })

/** What `fetch` sends too. */
const usual = {
  ...{ accept: '*/*', 'accept-language': '*', 'sec-fetch-mode': 'cors', 'user-agent': 'node' },
  'accept-encoding': 'gzip, deflate',
}

/**
 * Sends a request. Its answer and its errors look like those of `fetch`, which needs more than twice the processor time.
 * Redirects are not followed.
 * @throws TypeError with the cause, as `fetch` does
 */
export function sendRequest(url: string, { method, headers, body }: Sent): Promise<Received> {
  return new Promise((resolve, reject) => {
    const sent: Record<string, string> = { ...usual }
    for (const [name, value] of Object.entries(headers)) sent[name.toLowerCase()] = value
    if (typeof body === 'string') sent['content-type'] ??= 'text/plain;charset=UTF-8'
    if (body !== null) sent['content-length'] = String(Buffer.byteLength(body))
    let isAnswered = false
    const outgoing = request(url, { agent, method, headers: sent }, (incoming) => {
      isAnswered = true
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.once('error', (cause) => reject(new TypeError('terminated', { cause })))
      incoming.once('end', () => {
        decoded(incoming, Buffer.concat(chunks)).then(
          (bytes) => resolve(received(incoming, bytes)),
          (cause) => reject(new TypeError('terminated', { cause })),
        )
      })
    })
    // A server may answer, and close the connection, before it has read the body.
    outgoing.on('error', (cause) => {
      if (!isAnswered) reject(new TypeError('fetch failed', { cause }))
    })
    outgoing.end(body ?? undefined)
  })
}

const decoder = new TextDecoder()

async function received(incoming: IncomingMessage, bytes: Buffer): Promise<Received> {
  const text = decoder.decode(bytes)
  const isJson = incoming.headers['content-type']?.startsWith('application/json') && text !== ''
  let headers: Headers | undefined
  return {
    status: incoming.statusCode!,
    // Most tests do not read them.
    get headers() {
      headers ??= headersOf(incoming)
      return headers
    },
    text,
    body: isJson ? JSON.parse(text) : null,
  }
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers()
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at]!, rawHeaders[at + 1]!)
  return headers
}

// Not the synchronous functions: tests measure how long the server, on the same thread, is blocked.
const decoders: Record<string, (bytes: Buffer) => Promise<Buffer>> = {
  ...{ gzip: promisify(gunzip), deflate: promisify(inflate), br: promisify(brotliDecompress) },
}

async function decoded({ headers }: IncomingMessage, bytes: Buffer): Promise<Buffer> {
  const decode = decoders[headers['content-encoding'] ?? '']
  return decode && bytes.length > 0 ? await decode(bytes) : bytes
}
