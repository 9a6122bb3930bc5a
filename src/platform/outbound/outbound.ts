import { type ClientRequest, request as sendOver } from 'node:http'
import type { Socket } from 'node:net'
import type { Log } from '../log.ts'
import { type NewSpan, traced } from '../tracing/trace.ts'
import type { OutboundAnswer } from './answers.ts'
import { connect, reasonOf } from './connect.ts'
import { AddressRefused, AnswerLost, RequestNotSent } from './errors.ts'
import { readBody } from './read-body.ts'
import { limitReceived } from './received-bytes.ts'
import { type Resolve, resolveAsSystem, resolvePublic } from './resolve.ts'
import { OutboundSession, type SessionLimits } from './session.ts'

export type OutboundRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string | URL
  headers?: Readonly<Record<string, string>>
  body?: string | Buffer
  /** The time limit in milliseconds for DNS, connection, answer and redirects together. */
  timeoutMs: number
  /** The maximum number of bytes of an answer's body; 1 MiB by default. A longer answer counts as lost. */
  maxBytes?: number
  /** Whether the address is the operator's, which may be private. */
  trusted?: boolean
  /** How many redirects of a GET are followed, with the same checks; 0 by default: the redirect is the answer. */
  redirects?: number
}

export type OutboundOptions = {
  allowPrivate: boolean
  /** Replaces the lookup of host names. */
  resolve?: Resolve
  /** Logs why an address was refused, which the organization does not see. */
  log?: Log
}

/**
 * Sends all requests to other services. `send` sends exactly once, over a new connection. On a reused connection, a
 * close by the other side would look like a lost answer.
 */
export class Outbound {
  readonly #allowPrivate: boolean
  readonly #resolve: Resolve | undefined
  readonly #log: Log | undefined

  constructor({ allowPrivate, resolve, log }: OutboundOptions) {
    this.#allowPrivate = allowPrivate
    this.#resolve = resolve
    this.#log = log
  }

  /**
   * Sends a request once, and returns the answer with any status.
   * @throws RequestNotSent if nothing was sent; AnswerLost if no complete answer came. The messages show only the host of
   * the request.
   */
  send(request: OutboundRequest): Promise<OutboundAnswer> {
    return traced(
      () => spanOf(request),
      async (span) => {
        const answer = await this.#follow(request)
        span?.set({ 'http.response.status_code': answer.status })
        return answer
      },
    )
  }

  async #follow(request: OutboundRequest): Promise<OutboundAnswer> {
    const signal = AbortSignal.timeout(Math.max(1, Math.ceil(request.timeoutMs)))
    let url = parseAddress(request.url)
    let { headers = {}, trusted = false } = request
    for (let left = request.redirects ?? 0; ; left--) {
      const answer = await this.#sendTo(url, { ...request, headers, trusted }, signal)
      const next = request.method === 'GET' && left > 0 ? redirectOf(url, answer) : null
      if (next === null) return answer
      if (next.protocol !== url.protocol && next.protocol !== 'https:')
        throw new RequestNotSent(`${url.host} redirects from https to ${next.protocol}//`)
      if (next.origin !== url.origin) {
        headers = withoutCredentials(headers)
        trusted = false
      }
      url = next
    }
  }

  /**
   * Opens a session: it sends POSTs to one origin over connections that stay open. The receiver must tolerate a
   * repeated request.
   * @throws RequestNotSent if the address is not http or https
   */
  session(origin: string | URL, limits: SessionLimits): OutboundSession {
    const url = parseAddress(origin)
    return new OutboundSession(url, (to, signal) => this.#connect(to, false, signal), limits)
  }

  #connect(url: URL, trusted: boolean, signal: AbortSignal): Promise<Socket> {
    const allowPrivate = this.#allowPrivate || trusted
    const resolve = this.#resolve ?? (allowPrivate ? resolveAsSystem : resolvePublic())
    return connect(url, { allowPrivate, resolve, signal }).catch((error) => {
      if (error instanceof AddressRefused)
        this.#log?.info({ host: url.host, reason: error.cause }, 'an outbound address was refused')
      throw error
    })
  }

  async #sendTo(url: URL, request: OutboundRequest, signal: AbortSignal): Promise<OutboundAnswer> {
    const socket = await this.#connect(url, request.trusted === true, signal)
    try {
      return await sendOnce(socket, url, request, signal)
    } finally {
      socket.destroy()
    }
  }
}

/** Only the host: paths and queries may contain personal data or secrets. */
function spanOf({ method, url }: OutboundRequest): NewSpan {
  const host = URL.parse(url)?.host ?? 'an invalid address'
  return {
    name: `${method} ${host}`,
    kind: 'client',
    attributes: { 'http.request.method': method, 'server.address': host },
  }
}

function parseAddress(address: string | URL): URL {
  const url = URL.parse(address)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new RequestNotSent('the address is not an http or https address')
  return url
}

function redirectOf(url: URL, { status, headers }: OutboundAnswer): URL | null {
  const location = headers.location
  if (![301, 302, 303, 307, 308].includes(status) || typeof location !== 'string') return null
  return parseAddress(URL.parse(location, url) ?? '')
}

function withoutCredentials(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !/^(authorization|cookie)$|key|token|secret/i.test(name)),
  )
}

/** Sends over an open connection, and reads the answer. */
function sendOnce(
  socket: Socket,
  url: URL,
  { method, headers, body, maxBytes = 1024 ** 2 }: OutboundRequest,
  signal: AbortSignal,
): Promise<OutboundAnswer> {
  return new Promise((resolve, reject) => {
    let answered = false
    const lose = (what: string) => reject(new AnswerLost(`${url.host} was asked, but ${what}`))
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const all = { host: url.host, accept: 'application/json', ...length, ...headers, connection: 'close' }
    const path = `${url.pathname}${url.search}`
    let sent: ClientRequest
    try {
      sent = sendOver({ createConnection: () => socket, method, path, headers: all, signal })
    } catch (error) {
      return reject(new RequestNotSent(`${url.host} was not asked: ${reasonOf(error)}`))
    }
    limitReceived(sent, maxBytes, lose)
    sent.on('error', (error) =>
      lose(signal.aborted ? 'did not answer in time' : `the connection broke: ${reasonOf(error)}`),
    )
    sent.on('upgrade', () => lose('switched protocols'))
    sent.on('close', () => {
      if (!answered) lose('the connection closed')
    })
    sent.on('response', (answer) => {
      answered = true
      readBody(answer, url.host, maxBytes).then(
        (body) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body }),
        (error: Error) => lose(signal.aborted ? 'did not answer in time' : error.message),
      )
    })
    sent.end(body)
  })
}
