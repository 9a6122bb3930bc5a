import type { Answered } from './answer.ts'
import { type Body, bodyOf, queryOf } from './body.ts'
import { ApiError, ConnectionError, CrosswalkError, errorOf } from './errors.ts'
import { type Attempt, type CallOptions, requireKnown, type Settings } from './options.ts'
import { Pace } from './pace.ts'
import { type Failure, isUncertain, mayRetry, waitBefore } from './retry.ts'
import { pause, Timeout } from './timeout.ts'

/** A request of an operation. */
export type Asked = {
  method: string
  /** The path, with the ids filled in. */
  path: string
  shape: string
  query: object | undefined
  body: unknown
  options: CallOptions
}

// These only mean that the time has not come: other programs spend the same limit, or the first try still runs.
const waitingStatuses: unknown[] = [409, 429]
const waitsMax = 10

/** Sends requests with the client's headers, spaces them, and repeats failed ones if that is safe. */
export class Transport {
  readonly #address: string
  readonly #init: RequestInit & { headers: Record<string, string> }
  readonly #settings: Settings
  readonly #pace: Pace | null

  /**
   * @param init the options of `fetch` for every request. Its headers contain the API key, so this object keeps it
   * private.
   */
  constructor(
    address: string,
    init: RequestInit & { headers: Record<string, string> },
    settings: Settings,
    pace: Pace | null = settings.pace === false ? null : new Pace(),
  ) {
    this.#address = address
    this.#init = init
    this.#settings = settings
    this.#pace = pace
  }

  /** A copy of this transport that sends one more header. Both share the request pace. */
  with(name: string, value: string): Transport {
    const init = { ...this.#init, headers: { ...this.#init.headers, [name]: value } }
    return new Transport(this.#address, init, this.#settings, this.#pace)
  }

  /** Sends a request until its answer is final. @throws CrosswalkError, or the reason of the caller's signal */
  async send(asked: Asked): Promise<Answered<unknown>> {
    const { method, options } = asked
    requireKnown(options)
    const { deadlineMs = 0, signal } = options
    const late = `${method} ${asked.path}: no answer within ${deadlineMs} ms (deadlineMs)`
    const deadline = new Timeout(deadlineMs, late, signal)
    return this.#repeat(asked, bodyOf(asked.body), deadline).finally(() =>
      deadline.clear(asked.shape === 'stream'),
    )
  }

  async #repeat(asked: Asked, body: Body, deadline: Timeout): Promise<Answered<unknown>> {
    const { method, options, shape } = asked
    const { maxRetries = this.#settings.maxRetries ?? 3, ifMatch, idempotencyKey } = options
    const attempted = { method, isConditional: ifMatch !== undefined, isRepeatable: body.isRepeatable }
    const attempt = {
      method,
      url: this.#address + asked.path + queryOf(asked.query ?? {}),
      idempotencyKey: method === 'POST' ? (idempotencyKey ?? newKey()) : null,
    }
    let [faults, waits, wasUncertain] = [0, 0, false]
    for (let retries = 0; ; retries++) {
      try {
        return await this.#try(asked, { ...attempt, retries }, body, deadline)
      } catch (error) {
        deadline.signal.throwIfAborted()
        if (!(error instanceof CrosswalkError)) throw error
        const failure = failureOf(error)
        // An earlier try may have deleted the object, and its answer was lost: report success.
        if (wasUncertain && method === 'DELETE' && failure.status === 404 && shape === 'none')
          return answered(undefined, new Response(null, { status: 204 }))
        wasUncertain ||= isUncertain(failure)
        const waitMs = waitBefore(faults, failure)
        const isLast = waitingStatuses.includes(failure.status) ? ++waits > waitsMax : ++faults > maxRetries
        const { maxWaitMs = 60_000 } = this.#settings
        const isTooLong = (failure.retryAfter ?? 0) * 1000 > maxWaitMs || waitMs > deadline.leftMs
        if (isLast || maxRetries === 0 || isTooLong || !mayRetry(attempted, failure)) throw error
        this.#settings.onRetry?.({ ...attempt, retries, waitMs, error })
        await pause(waitMs, deadline.signal)
      }
    }
  }

  /** Sends the request once. */
  async #try(asked: Asked, attempt: Attempt, body: Body, deadline: Timeout): Promise<Answered<unknown>> {
    const { options, shape } = asked
    const request = `${asked.method} ${asked.path}`
    const { timeoutMs = this.#settings.timeoutMs ?? (body.isFile ? 0 : 30_000) } = options
    await this.#pace?.turn(attempt.retries > 0, deadline.signal)
    const late = `${request}: no answer within ${timeoutMs} ms (timeoutMs)`
    const timeout = new Timeout(timeoutMs, late, deadline.signal)
    const lost = (error: unknown): never => {
      timeout.signal.throwIfAborted()
      throw lostConnection(request, error)
    }
    try {
      const response = await this.#fetch(options, attempt, body, timeout, lost)
      if (response.ok && shape === 'stream') return answered(response.body, response)
      const text = await response.text().catch(lost)
      if (response.status === 204) return answered(undefined, response)
      const isJson = response.headers.get('content-type')?.includes('json')
      if (!response.ok || !isJson) throw errorOf(request, response, text)
      const json = parse(text, lost)
      return answered(shape === 'data' ? json.data : json, response)
    } finally {
      timeout.clear(shape === 'stream')
    }
  }

  /** The headers of an answer, and its body as a stream. Ends the turn. */
  async #fetch(
    options: CallOptions,
    attempt: Attempt,
    body: Body,
    { signal }: Timeout,
    lost: (error: unknown) => never,
  ): Promise<Response> {
    const { fetch: send = fetch, onRequest, onResponse } = this.#settings
    const { method, url, idempotencyKey } = attempt
    const startedAt = performance.now()
    let response: Response | null = null
    try {
      const headers = new Headers(this.#init.headers)
      if (body.contentType) headers.set('content-type', body.contentType)
      if (idempotencyKey) headers.set('idempotency-key', idempotencyKey)
      if (options.ifMatch !== undefined) headers.set('if-match', `"${options.ifMatch}"`)
      for (const [name, value] of Object.entries(options.headers ?? {})) headers.set(name, value)
      const content = await body.content()
      onRequest?.(attempt)
      // If fetch followed a redirect, it would turn a POST into a GET.
      const init: RequestInit = { ...this.#init, method, headers, signal, redirect: 'manual', ...content }
      response = await send(url, init).catch(lost)
    } finally {
      this.#pace?.end(response)
    }
    const { status, headers } = response
    const durationMs = performance.now() - startedAt
    onResponse?.({ ...attempt, status, requestId: headers.get('x-request-id'), durationMs })
    return response
  }
}

function parse(text: string, lost: (error: unknown) => never) {
  try {
    return JSON.parse(text)
  } catch (error) {
    return lost(error)
  }
}

const answered = (data: unknown, response: Response): Answered<unknown> => ({
  data,
  response,
  requestId: response.headers.get('x-request-id'),
  replayed: response.headers.get('idempotent-replayed') === 'true',
})

const failureOf = (error: CrosswalkError): Failure =>
  error instanceof ApiError ? error : { status: null, code: null, retryAfter: null }

/** Takes only the code of an error of `fetch`: its texts and members may have the headers of the request. */
function lostConnection(request: string, error: unknown): ConnectionError {
  const { cause, code = Object(cause).code } = Object(error) as { code?: unknown; cause?: unknown }
  const known = typeof code === 'string' ? code : null
  return new ConnectionError(`${request}: no answer${known ? ` (${known})` : ''}`, known)
}

/** A new idempotency key. `randomUUID` is missing on pages that were not loaded by https. */
const newKey = (): string => crypto.randomUUID?.() ?? crypto.getRandomValues(new Uint32Array(4)).join('-')
