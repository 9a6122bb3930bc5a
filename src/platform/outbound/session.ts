import { Agent, type ClientRequest, type IncomingMessage, request as sendOver } from 'node:http'
import type { Duplex } from 'node:stream'
import type { OutboundAnswer } from './answers.ts'
import { type Connect, reasonOf } from './connect.ts'
import { AnswerLost, RequestNotSent } from './errors.ts'
import { readBody } from './read-body.ts'
import { limitReceived } from './received-bytes.ts'

export type SessionRequest = {
  /** The path and the query: `/hook?a=1`. */
  path: string
  headers: Readonly<Record<string, string>>
  body: string
  /** The time limit in milliseconds for DNS, connection and answer together. */
  timeoutMs: number
}

export type SessionLimits = {
  /** How many unused connections stay open. */
  idleMax: number
  /** The maximum number of bytes of an answer's body. A longer answer counts as lost, and its connection is closed. */
  maxBytes: number
}

/**
 * Sends POSTs to one origin over connections that stay open between requests. When a connection opens, it is checked
 * like those of `Outbound.send`. Redirects are not followed. Call `close` when no request runs.
 */
export class OutboundSession {
  readonly #origin: URL
  readonly #agent: Agent
  readonly #maxBytes: number

  constructor(origin: URL, connect: Connect, { idleMax, maxBytes }: SessionLimits) {
    this.#origin = origin
    this.#maxBytes = maxBytes
    this.#agent = new CheckedAgent(origin, connect, idleMax)
  }

  /**
   * Sends a request, and returns the answer with any status. If the other side closed an open connection before it
   * answered, sends the request once more over a new connection.
   * @throws RequestNotSent if nothing was sent; AnswerLost if no complete answer came. The messages show only the host
   */
  async post(request: SessionRequest): Promise<OutboundAnswer> {
    const signal = AbortSignal.timeout(Math.max(1, Math.ceil(request.timeoutMs)))
    try {
      return await this.#exchange(request, signal)
    } catch (error) {
      if (!(error instanceof KeptConnectionClosed)) throw error
      // The other side has probably closed all idle connections, as after a restart.
      this.#closeIdle()
      return await this.#exchange(request, signal)
    }
  }

  #closeIdle(): void {
    for (const socket of Object.values(this.#agent.freeSockets).flat()) socket?.destroy()
  }

  close(): void {
    this.#agent.destroy()
  }

  #exchange({ path, headers, body }: SessionRequest, signal: AbortSignal): Promise<OutboundAnswer> {
    const { host } = this.#origin
    return new Promise((resolve, reject) => {
      let answer: IncomingMessage | undefined
      const lose = (what: string) => reject(new AnswerLost(`${host} was asked, but ${what}`))
      const late = 'did not answer in time'
      const length = { host, 'content-length': String(Buffer.byteLength(body)) }
      let sent: ClientRequest
      try {
        const all = { ...headers, ...length }
        sent = sendOver({ agent: this.#agent, method: 'POST', path, headers: all, signal })
      } catch (error) {
        return reject(new RequestNotSent(`${host} was not asked: ${reasonOf(error)}`))
      }
      limitReceived(sent, this.#maxBytes, lose)
      sent.on('error', (error) => {
        if (error instanceof RequestNotSent) reject(error)
        else if (signal.aborted)
          sent.socket
            ? lose(late)
            : reject(new RequestNotSent(`${host} was not reached: no connection in time`))
        else if (sent.reusedSocket && !answer)
          reject(new KeptConnectionClosed(`${host} closed the connection`))
        else lose(`the connection broke: ${reasonOf(error)}`)
      })
      sent.on('upgrade', (_answer, socket: Duplex) => {
        socket.destroy()
        lose('switched protocols')
      })
      sent.on('close', () => {
        if (!answer) lose('the connection closed')
      })
      sent.on('response', (response) => {
        answer = response
        readBody(response, host, this.#maxBytes).then(
          (bytes) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: bytes }),
          (error: Error) => lose(signal.aborted ? late : error.message),
        )
      })
      sent.end(body)
    })
  }
}

/** The other side closed an open connection before it answered the request. */
class KeptConnectionClosed extends AnswerLost {
  override name = 'KeptConnectionClosed'
}

/** Keeps connections open. `connect` opens and checks each. */
class CheckedAgent extends Agent {
  readonly #origin: URL
  readonly #connect: Connect

  constructor(origin: URL, connect: Connect, idleMax: number) {
    super({ keepAlive: true, maxFreeSockets: idleMax, scheduling: 'lifo' })
    this.#origin = origin
    this.#connect = connect
  }

  override createConnection(
    { signal }: { signal?: AbortSignal },
    opened: (error: Error | null, socket: Duplex) => void,
  ): undefined {
    this.#connect(this.#origin, signal ?? AbortSignal.timeout(15_000)).then(
      (socket) => opened(null, socket),
      (error) => opened(error as Error, undefined as unknown as Duplex),
    )
  }
}
