import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { exchange } from '../support/raw-http.ts'

export type RawRequest = {
  method: string
  /** The unchanged path with its query, without a version prefix. */
  target: string
  prefix: string
  headers: [name: string, value: string][]
  body: Buffer | null
}

export type Answer = {
  status: number
  headers: IncomingHttpHeaders
  text: string
  ms: number
}

const answeredWithinMs = 15_000

/** The longest time for an answer, in milliseconds. It includes the `wait_seconds` of a request. */
function patienceOf({ target }: Pick<RawRequest, 'target'>): number {
  const [, waits = '0'] = /[?&]wait_seconds=(\d{1,2})(?:&|$)/.exec(target) ?? []
  return answeredWithinMs + Number(waits) * 1000
}

/** The error of a request that got no answer. */
export class Unanswered extends Error {}

/** Sends requests over kept-alive connections until `close`. */
export class Wire {
  readonly #address: URL
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 16 })

  constructor(address: string) {
    this.#address = new URL(address)
  }

  /** @throws Unanswered without an answer in time, or if the connection breaks */
  async send(sent: RawRequest): Promise<Answer> {
    const begun = performance.now()
    const answer = await (isPlain(sent) ? this.#ask(sent) : this.#askBare(sent))
    return { ...answer, ms: performance.now() - begun }
  }

  close(): void {
    this.#agent.destroy()
  }

  #ask({ method, target, prefix, headers, body }: RawRequest, again = true): Promise<Omit<Answer, 'ms'>> {
    const patienceMs = patienceOf({ target })
    return new Promise((resolve, reject) => {
      const request = httpRequest({
        host: this.#address.hostname,
        port: this.#address.port,
        agent: this.#agent,
        method,
        path: prefix + target,
        timeout: patienceMs,
      })
      for (const [name, value] of headers) request.appendHeader(name, value)
      if (body) request.setHeader('content-length', body.length)
      request.on('timeout', () => request.destroy(new Error(`no answer in ${patienceMs} ms`)))
      request.on('error', (error) => {
        // The server may have closed the idle connection just then, so try once more on a new one.
        if (again && request.reusedSocket)
          this.#ask({ method, target, prefix, headers, body }, false).then(resolve, reject)
        else reject(new Unanswered(error.message))
      })
      request.on('response', (response) => {
        const pieces: Buffer[] = []
        response.on('data', (piece) => pieces.push(piece))
        response.on('error', (error) => reject(new Unanswered(error.message)))
        response.on('end', () =>
          resolve({
            status: response.statusCode!,
            headers: response.headers,
            text: Buffer.concat(pieces).toString(),
          }),
        )
      })
      request.end(body ?? undefined)
    })
  }

  /** Sends a request that no client would send, as raw bytes. */
  async #askBare({ method, target, prefix, headers, body }: RawRequest): Promise<Omit<Answer, 'ms'>> {
    const lines = [['Host', 'here'], ['Connection', 'close'], ...headers].map((line) => line.join(': '))
    if (body) lines.push(`Content-Length: ${body.length}`)
    const head = Buffer.from(
      `${method} ${prefix}${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`,
      'latin1',
    )
    const patienceMs = patienceOf({ target })
    const late = new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Unanswered(`no answer in ${patienceMs} ms`)), patienceMs).unref()
    })
    const { text } = await Promise.race([
      exchange(this.#address.href, Buffer.concat([head, body ?? Buffer.alloc(0)])),
      late,
    ])
    const [, status, answered = ''] = /^HTTP\/1\.1 (\d{3})[^\n]*\n([\s\S]*)$/.exec(text) ?? []
    if (status === undefined) throw new Unanswered(`not an answer: ${text.slice(0, 200)}`)
    const end = answered.indexOf('\r\n\r\n')
    const named = answered
      .slice(0, end)
      .split('\r\n')
      .map((line) => line.split(/: (.*)/s))
    const headersOf = Object.fromEntries(named.map(([name, value]) => [name!.toLowerCase(), value]))
    return {
      status: Number(status),
      headers: headersOf,
      text: Buffer.from(answered.slice(end + 4), 'latin1').toString(),
    }
  }
}

/** Whether Node's HTTP client can send the request. It refuses malformed ones. */
export const isPlain = ({ target, headers }: RawRequest) =>
  /^[\x21-\x7e]*$/.test(target) &&
  headers.every(
    ([name, value]) => /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value),
  ) &&
  !headers.some(([name]) => /^(content-length|transfer-encoding|connection|expect|host|upgrade)$/i.test(name))

/** The request in a form that a person can send again. */
export function asText({ method, target, prefix, headers, body }: RawRequest): string {
  const shown = headers.map(([name, value]) => `${name}: ${JSON.stringify(value.slice(0, 300))}`).join('\n  ')
  const text = body ? `\n  ${JSON.stringify(body.toString('latin1')).slice(0, 3000)}` : ''
  return `${method} ${(prefix + target).slice(0, 2000)}\n  ${shown}${text}`
}
