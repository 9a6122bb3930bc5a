import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'

export type ReceivedRequest = {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  body: string
}

export type StubAnswer = { status: number; body: unknown; headers?: Record<string, string> }

/**
 * What goes wrong with one request.
 *
 * - `when`: `before` the request does anything, or `after` it did what it asks for
 * - `how`: `answer` another status and body; `drop` the connection; `half` the answer, then drop; `truncated` JSON in a
 *   whole answer; `silent`: no answer for as long as the client waits; `slow`: after `ms`; `twice` the answer, in one
 *   connection; `hinted`: an informational answer first; `late`: drop the connection at once, and do what the request asks
 *   for only after `until`
 */
export type Fault = {
  /** The affected requests, as `METHOD /path`; by default all. */
  on?: RegExp
  /** The bearer token of affected requests; by default any. */
  token?: string
  when: 'before' | 'after'
  how: 'answer' | 'drop' | 'half' | 'truncated' | 'silent' | 'slow' | 'twice' | 'hinted' | 'late'
  status?: number
  body?: unknown
  ms?: number
  until?: Promise<void>
}

/** The length of each part of an answer of a fault. */
const pieceLength = 65_536

/** Answers like a vendor, with the faults that a test sets. */
export class StandInServer {
  url = ''
  /** The milliseconds for which a request waits before its effect, and again before its answer. */
  delayMs: () => number = () => 0
  /** A request waits for this promise before its effect. */
  hold: (request: ReceivedRequest) => Promise<void> | void = () => {}
  readonly requests: ReceivedRequest[] = []
  /** The number of requests that have no answer yet. */
  underWay = 0
  readonly #handle: (request: ReceivedRequest) => StubAnswer | Promise<StubAnswer>
  readonly #faults: Fault[] = []
  readonly #sockets = new Set<Socket>()
  readonly #server = createServer((request, response) => void this.#take(request, response))

  constructor(handle: (request: ReceivedRequest) => StubAnswer | Promise<StubAnswer>) {
    this.#handle = handle
    this.#server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket)
      socket.on('close', () => this.#sockets.delete(socket))
    })
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Adds a fault for the next request that matches. */
  fault(fault: Fault): void {
    this.#faults.push(fault)
  }

  /** Whether a planned fault is still to happen. */
  get hasFaults(): boolean {
    return this.#faults.length > 0
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve))
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  async #dawdle(): Promise<void> {
    const ms = this.delayMs()
    if (ms > 0) await delay(ms)
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const seen = await see(request)
    this.requests.push(seen)
    this.underWay++
    const at = this.#faults.findIndex(
      ({ on, token }) =>
        (!on || on.test(`${seen.method} ${seen.path}`)) &&
        (token === undefined || seen.headers.authorization === `Bearer ${token}`),
    )
    const [fault] = at < 0 ? [] : this.#faults.splice(at, 1)
    const isDone = fault?.when !== 'before' || fault.how === 'slow'
    await this.#dawdle()
    await this.hold(seen)
    if (fault?.how === 'late') {
      response.socket?.destroy()
      await fault.until
    }
    const said = isDone ? await this.#handle(seen) : { status: 500, body: {} }
    await this.#dawdle()
    this.underWay--
    await answer(response, fault, said)
  }
}

async function see(request: IncomingMessage): Promise<ReceivedRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  const url = new URL(request.url ?? '/', 'http://stand-in')
  return {
    ...{ method: request.method ?? '', path: url.pathname, query: url.searchParams },
    ...{ headers: request.headers, body: Buffer.concat(chunks).toString() },
  }
}

/** Writing 11 MB in one step would block the thread that the test shares with the server for 60 ms. */
function* piecesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += pieceLength) yield text.slice(at, at + pieceLength)
}

async function answer(response: ServerResponse, fault: Fault | undefined, said: StubAnswer): Promise<void> {
  const { how, status = 503, body = { message: 'Service Unavailable' }, ms = 0 } = fault ?? {}
  const type = { 'content-type': 'application/json' }
  const text = JSON.stringify(said.body)
  const raw = `HTTP/1.1 ${said.status} OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
  switch (how) {
    case 'answer':
      response.writeHead(status, type)
      Readable.from(piecesOf(typeof body === 'string' ? body : JSON.stringify(body))).pipe(response)
      return
    case 'drop':
      response.socket?.destroy()
      return
    case 'half':
      response.socket?.end(raw.slice(0, -text.length / 2))
      return
    case 'twice':
      response.socket?.end(raw + raw)
      return
    case 'truncated':
      response.writeHead(said.status, type).end(text.slice(0, text.length / 2))
      return
    case 'silent':
    case 'late':
      return
    case 'hinted':
      response.writeEarlyHints({ link: '</>; rel=preload' })
      break
    case 'slow':
      await delay(ms)
  }
  const isText = typeof said.body === 'string'
  response
    .writeHead(said.status, { ...type, ...said.headers })
    .end(said.status === 204 ? undefined : isText ? (said.body as string) : text)
}
