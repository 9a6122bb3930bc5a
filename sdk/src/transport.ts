import type { Answered } from './answer.ts'
import { type Body, bodyOf, queryOf } from './body.ts'
import { ApiError, ConfigurationError, ConnectionError, CrosswalkError, errorOf } from './errors.ts'
import { type Attempt, type CallOptions, requireKnown, type Settings } from './options.ts'
import { type EndRequest, Pace } from './pace.ts'
import { type Failure, isGone, isUncertain, mayRetry, waitBefore } from './retry.ts'
import { streamWithEnd } from './stream.ts'
import { textOf, tooLong } from './text.ts'
import { pause, Timeout, unlessAborted } from './timeout.ts'

export type SdkRequest = {
  method: string
  /** The path of the request, with the ids filled in. */
  path: string
  shape: string
  query: object | undefined
  body: unknown
  options: CallOptions
}

// Statuses to wait for: other programs share the limit, or the first try is still running.
const waitingStatuses: unknown[] = [409, 429]
const waitsMax = 10

/** Spaces requests, and retries failed ones if that is safe. */
export class Transport {
  readonly #address: string
  readonly #init: RequestInit & { headers: Record<string, string> }
  readonly #settings: Settings
  readonly #pace: Pace | null
  readonly #check: (() => Promise<void>) | undefined

  /**
   * @param init the options of `fetch` for each request. Private, because the headers contain the API key
   * @param check called before each request, which it may refuse
   */
  constructor(
    address: string,
    init: RequestInit & { headers: Record<string, string> },
    settings: Settings,
    pace: Pace | null = settings.pace === false ? null : new Pace(),
    check?: () => Promise<void>,
  ) {
    this.#address = address
    this.#init = init
    this.#settings = settings
    this.#pace = pace
    this.#check = check
  }

  /** A copy whose requests act on another organization, after `check`. Both share the request pace. */
  actingOn(orgId: string, check: () => Promise<void>): Transport {
    const sent: Record<string, string> = this.#init.headers
    const init = { ...this.#init, headers: { ...sent, 'x-target-org-id': orgId } }
    return new Transport(this.#address, init, this.#settings, this.#pace, check)
  }

  /** A copy for the paths of events, whose rate limits are separate from those of the API. */
  forEvents(): Transport {
    return new Transport(this.#address.replace(/\/api\/v1$/, '/v1'), this.#init, this.#settings, null)
  }

  /** @throws CrosswalkError, or the reason of the caller's signal */
  async send(asked: SdkRequest): Promise<Answered<unknown>> {
    const { method, options } = asked
    requireKnown(options)
    const { deadlineMs = 0, signal } = options
    const late = `${method} ${asked.path}: no answer from ${this.#address} within ${deadlineMs} ms (deadlineMs)`
    const deadline = new Timeout(deadlineMs, late, signal)
    let isStream = false
    try {
      if (this.#check) await unlessAborted(this.#check(), deadline.signal)
      const answer = await this.#repeat(asked, bodyOf(asked.body), deadline)
      isStream = asked.shape === 'stream' && answer.data !== null
      return answer
    } finally {
      deadline.clear(isStream)
    }
  }

  async #repeat(asked: SdkRequest, body: Body, deadline: Timeout): Promise<Answered<unknown>> {
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
        if (!(error instanceof CrosswalkError) || error instanceof ConfigurationError) throw error
        const failure = failureOf(error)
        // A lost try may have deleted the object.
        if (wasUncertain && method === 'DELETE' && isGone(failure) && shape === 'none')
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

  async #try(asked: SdkRequest, attempt: Attempt, body: Body, deadline: Timeout): Promise<Answered<unknown>> {
    const { options, shape } = asked
    const request = `${asked.method} ${asked.path}`
    const { timeoutMs = this.#settings.timeoutMs ?? (body.isFile ? 0 : 30_000) } = options
    const endTurn = await this.#pace?.turn(attempt.retries > 0, deadline.signal)
    const late = `${request}: no answer from ${this.#address} within ${timeoutMs} ms (timeoutMs)`
    const timeout = new Timeout(timeoutMs, late, deadline.signal)
    let problem = 'no answer from'
    const lost = (error: unknown): never => {
      timeout.signal.throwIfAborted()
      throw lostConnection(`${request}: ${problem} ${this.#address}`, error)
    }
    try {
      const response = await this.#fetch(options, attempt, body, { signal: timeout.signal, lost, endTurn })
      const type = response.headers.get('content-type') ?? ''
      problem = 'the answer is cut off, or is not JSON, of'
      if (response.ok && shape === 'stream' && !type.includes('html')) {
        problem = 'the answer is cut off, of'
        return followed(answered(response.body, response), deadline, lost)
      }
      const text = await textOf(response).catch(lost)
      if (response.status === 204 && shape === 'none') return answered(undefined, response)
      if (text === tooLong || !response.ok || response.status === 204 || !type.includes('json'))
        throw errorOf(request, response, text)
      const json: unknown = await Promise.resolve(text).then(JSON.parse).catch(lost)
      const { data, pagination } = Object(json) as { data?: unknown; pagination?: unknown }
      const isOurs =
        shape === 'page' ? Array.isArray(data) && pagination : shape !== 'data' || data !== undefined
      if (!isOurs || typeof json !== 'object') throw errorOf(request, response, '')
      return answered(shape === 'data' ? data : json, response)
    } finally {
      timeout.clear(shape === 'stream')
    }
  }

  /**
   * Sends one request, and returns the headers, with the body as a stream. Reports the end of the request to the pace.
   */
  async #fetch(
    options: CallOptions,
    attempt: Attempt,
    body: Body,
    {
      signal,
      lost,
      endTurn,
    }: { signal: AbortSignal; lost(error: unknown): never; endTurn: EndRequest | undefined },
  ): Promise<Response> {
    const { fetch: send = fetch, onRequest, onResponse } = this.#settings
    const { method, url, idempotencyKey } = attempt
    const startedAt = performance.now()
    let response: Response | null = null
    try {
      const headers = headersOf(this.#init.headers, {
        'content-type': body.contentType,
        'idempotency-key': idempotencyKey,
        'if-match': options.ifMatch === undefined ? null : `"${options.ifMatch}"`,
        ...options.headers,
      })
      const content = await body.content()
      onRequest?.(attempt)
      // Do not follow redirects: fetch would turn a POST into a GET.
      const init: RequestInit = { ...this.#init, method, headers, signal, redirect: 'manual', ...content }
      response = await send(url, init).catch(lost)
    } finally {
      endTurn?.(response)
    }
    const { status, headers } = response
    const durationMs = performance.now() - startedAt
    onResponse?.({ ...attempt, status, requestId: headers.get('x-request-id'), durationMs })
    return response
  }
}

/** @throws ConfigurationError, whose message names the header without its value */
function headersOf(own: HeadersInit, more: Record<string, string | null>): Headers {
  const headers = new Headers(own)
  for (const [name, value] of Object.entries(more))
    try {
      if (value !== null) headers.set(name, value)
    } catch {
      throw new ConfigurationError(`The header ${name} has a character that headers cannot have.`)
    }
  return headers
}

const answered = (data: unknown, response: Response): Answered<unknown> => ({
  data,
  response,
  requestId: response.headers.get('x-request-id'),
  replayed: response.headers.get('idempotent-replayed') === 'true',
})

/** The answer with a stream that stops following the caller's signal when it ends. `lost` throws the error of a broken connection. */
function followed(
  answer: Answered<unknown>,
  deadline: Timeout,
  lost: (error: unknown) => never,
): Answered<unknown> {
  const body = answer.data as ReadableStream<Uint8Array> | null
  // The `fetch` of another package may have another kind of body.
  if (!body?.getReader) return answer
  const data = streamWithEnd(body, () => deadline.clear(false), lost)
  const response = new Response(data, answer.response)
  // A response that a program makes has no address.
  Object.defineProperty(response, 'url', { value: answer.response.url })
  return { ...answer, data, response }
}

/** The facts of a failed try that decide about a retry. */
export function failureOf(error: CrosswalkError): Failure {
  if (error instanceof ApiError) return error
  return { status: null, code: error instanceof ConnectionError ? error.code : null, retryAfter: null }
}

/** Copy the code only: other fields of the error may contain the request's headers. */
function lostConnection(text: string, error: unknown): ConnectionError {
  const { cause, code = Object(cause).code } = Object(error) as { code?: unknown; cause?: unknown }
  const known = typeof code === 'string' ? code : null
  return new ConnectionError(text + (known ? ` (${known})` : ''), known)
}

/** Pages without https lack `randomUUID`. */
export const newKey = (): string =>
  crypto.randomUUID?.() ?? crypto.getRandomValues(new Uint32Array(4)).join('-')
