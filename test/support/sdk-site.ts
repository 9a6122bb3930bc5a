import { once } from 'node:events'
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { corsHeaders } from '../../src/tracking/wire/cors.ts'

export type SitePage = { head: string; csp?: string }

/** Starts a server on a free port of this machine, and returns the port. */
async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

function stop(server: Server): void {
  server.close()
  server.closeAllConnections()
}

type Answered = { status: number; headers: OutgoingHttpHeaders; body: Buffer }

async function forward(
  target: string,
  incoming: IncomingMessage,
  path: string,
  body: Buffer,
): Promise<Answered> {
  const { hostname, port } = new URL(target)
  const { method, headers } = incoming
  const forwarded = request({ hostname, port, method, path, headers })
  forwarded.end(body)
  const [answer] = (await once(forwarded, 'response')) as [IncomingMessage]
  return { status: answer.statusCode ?? 500, headers: answer.headers, body: await buffer(answer) }
}

/**
 * A web site with any host name. All paths below /<name> show the same page, so that its script can navigate. Paths below
 * /cw lead to the server, as with a proxy of the site.
 */
export class SdkSite {
  readonly #pages = new Map<string, SitePage>()
  readonly #server: Server
  port = 0

  /** @param target the address of Crosswalk */
  constructor(target: string) {
    this.#server = createServer(async (incoming, response) => {
      const { url = '/' } = incoming
      if (url.startsWith('/cw/')) {
        const answer = await forward(target, incoming, url.slice('/cw'.length), await buffer(incoming))
        return void response.writeHead(answer.status, answer.headers).end(answer.body)
      }
      const page = this.#pages.get(/^\/[^/?#]*/.exec(url)?.[0] ?? '')
      const policy = page?.csp ? { 'content-security-policy': page.csp } : {}
      response.writeHead(page ? 200 : 404, { 'content-type': 'text/html', ...policy })
      response.end(page && `<!doctype html><title>Shop</title>${page.head}<p><a href="/other">Other</a>`)
    })
  }

  async start(): Promise<void> {
    this.#pages.set('/other', { head: '' })
    this.port = await listen(this.#server)
  }

  stop(): void {
    stop(this.#server)
  }

  serve(name: string, page: SitePage): void {
    this.#pages.set(`/${name}`, page)
  }
}

// biome-ignore lint/suspicious/noExplicitAny: tests read events, and assert their shape
type SentEvent = any

/** A proxy in front of Crosswalk, whose address pages use. It records their requests, and may refuse some. */
export class Gate {
  /** The HTTP methods of the requests with events. */
  readonly methods: string[] = []
  /** The batches that were sent, including refused ones. */
  readonly batches: { bytes: number; events: SentEvent[]; at: number; cookie: string | undefined }[] = []
  /** How many requests of events were answered at the same time. */
  mostAtOnce = 0
  /** The statuses that refuse the next requests with events, each with `Retry-After: 1`. */
  refusals: number[] = []
  #open = 0
  readonly #server: Server

  constructor(target: string) {
    this.#server = createServer(async (incoming, response) => {
      const body = await buffer(incoming)
      const { url = '', method = '', headers } = incoming
      const isBatch = url === '/v1/batch'
      if (isBatch) this.methods.push(method)
      if (isBatch && method === 'POST') {
        const events = JSON.parse(body.toString()).batch
        this.batches.push({ bytes: body.length, events, at: performance.now(), cookie: headers.cookie })
      }
      const refusal = isBatch ? this.refusals.shift() : undefined
      if (refusal) return void response.writeHead(refusal, { ...corsHeaders, 'retry-after': '1' }).end()
      if (isBatch) this.mostAtOnce = Math.max(this.mostAtOnce, ++this.#open)
      const answer = await forward(target, incoming, url, body)
      if (isBatch) this.#open--
      response.writeHead(answer.status, answer.headers).end(answer.body)
    })
  }

  /** The events that were sent, each once, in the order of the visitor's clock. */
  sent(): SentEvent[] {
    const events = this.batches.flatMap((batch) => batch.events)
    const byId = new Map<string, SentEvent>(events.map((event) => [event.messageId, event]))
    return [...byId.values()].sort((one, other) => (one.timestamp < other.timestamp ? -1 : 1))
  }

  async start(): Promise<string> {
    return `http://127.0.0.1:${await listen(this.#server)}`
  }

  stop(): void {
    stop(this.#server)
  }
}
