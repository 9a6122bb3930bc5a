import { once } from 'node:events'
import {
  type ClientRequest,
  createServer,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { corsHeaders } from '../../src/tracking/wire/cors.ts'

export type ProxyFault =
  | 'pass'
  | 'drop before'
  | 'drop after'
  | 'delay'
  | 'truncate'
  | 'refuse 429'
  | 'refuse 503'
  | 'refuse 409'
  | 'bad gateway'

const codes = { 429: 'rate_limit_exceeded', 503: 'server_busy', 409: 'idempotency_key_in_use' }

/** A proxy that drops, delays, truncates and refuses requests. */
export class UnreliableProxy {
  readonly #target: URL
  readonly #choose: (incoming: IncomingMessage) => ProxyFault | Promise<ProxyFault>
  readonly #server = createServer((incoming, response) => void this.#handle(incoming, response))
  readonly counts: Partial<Record<ProxyFault, number>> = {}
  /** How many requests the server's rate limits accepted. */
  accepted = 0

  /** @param choose decides what happens to the next request */
  constructor(target: string, choose: (incoming: IncomingMessage) => ProxyFault | Promise<ProxyFault>) {
    this.#target = new URL(target)
    this.#choose = choose
  }

  async start(port = 0): Promise<string> {
    this.#server.listen(port, '127.0.0.1')
    await once(this.#server, 'listening')
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  stop(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  async #handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const mischief = await this.#choose(incoming)
    this.counts[mischief] = (this.counts[mischief] ?? 0) + 1
    if (mischief === 'drop before') return void incoming.socket.destroy()
    const body = await buffer(incoming)
    const refusal = /^refuse (\d+)$/.exec(mischief)?.[1]
    if (refusal) return refuse(response, Number(refusal) as keyof typeof codes)
    if (mischief === 'bad gateway')
      return void response.writeHead(502, { 'content-type': 'text/html' }).end('<html>')
    const answer = await this.#forward(incoming, body)
    const content = await buffer(answer)
    if (answer.statusCode !== 429) this.accepted++
    if (mischief === 'drop after') return void incoming.socket.destroy()
    if (mischief === 'delay') await new Promise((resolve) => setTimeout(resolve, 300))
    response.writeHead(answer.statusCode ?? 500, { ...answer.headers, 'content-length': content.length })
    if (mischief !== 'truncate') return void response.end(content)
    response.write(content.subarray(0, content.length / 2), () => response.destroy())
  }

  async #forward({ method, url, headers }: IncomingMessage, body: Buffer): Promise<IncomingMessage> {
    const { hostname, port } = this.#target
    const forwarded: ClientRequest = request({ hostname, port, method, path: url, headers })
    forwarded.end(body)
    const [answer] = await once(forwarded, 'response')
    return answer
  }
}

function refuse(response: ServerResponse, status: keyof typeof codes): void {
  response.writeHead(status, { ...corsHeaders, 'content-type': 'application/json', 'retry-after': '1' })
  response.end(JSON.stringify({ detail: 'Refused by the test', code: codes[status] }))
}
