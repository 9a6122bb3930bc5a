import type { ErrorCode, ValidationDetail } from './generated/types.ts'

/** The base class of this package's errors. A call that the caller aborts throws the signal's reason instead. */
export class CrosswalkError extends Error {
  override name = 'CrosswalkError'
}

/** An option of the client or of a call is wrong, and nothing was sent. The message names the option. */
export class ConfigurationError extends CrosswalkError {
  override name = 'ConfigurationError'
}

/** There was no answer: the server is unreachable, or the connection broke. */
export class ConnectionError extends CrosswalkError {
  override name = 'ConnectionError'
  /** The error code of the operating system, such as `ECONNREFUSED`; null if the runtime does not give one. */
  readonly code: string | null

  constructor(message: string, code: string | null = null) {
    super(message)
    this.code = code
  }
}

/** There was no answer within `timeoutMs`, or the call did not end within `deadlineMs`. */
export class TimeoutError extends CrosswalkError {
  override name = 'TimeoutError'
}

/** A webhook is not from Crosswalk, was changed, or is too old. */
export class WebhookVerificationError extends CrosswalkError {
  override name = 'WebhookVerificationError'
}

/** The parts of an error answer. */
export type Refusal = {
  status: number
  code: ErrorCode | (string & {}) | null
  detail: string
  problems: ValidationDetail[]
  headers: Headers
  body: unknown
}

/** The server answered with an error, or Crosswalk did not send the answer. */
export class ApiError extends CrosswalkError {
  override name = 'ApiError'
  readonly status: number
  /** A stable error code; null if Crosswalk did not send the answer. New codes may be added. */
  readonly code: ErrorCode | (string & {}) | null
  /** The text for people. It can change, so do not compare it. */
  readonly detail: string
  /** The places and rules of a 422; empty for any other error. */
  readonly problems: ValidationDetail[]
  readonly requestId: string | null
  /** After how many seconds the request may be repeated; null if the answer does not say. */
  readonly retryAfter: number | null
  readonly headers: Headers
  /** The parsed answer. Some errors have more members. null if it is not JSON. */
  readonly body: unknown
  /** Whether this is the stored answer of an earlier request with the same idempotency key. */
  readonly replayed: boolean

  constructor(request: string, { status, code, detail, problems, headers, body }: Refusal) {
    const requestId = headers.get('x-request-id')
    super(`${status}${code ? ` ${code}` : ''}: ${detail} (${request}${requestId ? `, ${requestId}` : ''})`)
    this.status = status
    this.code = code
    this.detail = detail
    this.problems = problems
    this.requestId = requestId
    this.retryAfter = retryAfterOf(headers)
    this.headers = headers
    this.body = body
    this.replayed = headers.get('idempotent-replayed') === 'true'
  }
}

/** 400: the server cannot carry out the request. */
export class BadRequestError extends ApiError {
  override name = 'BadRequestError'
}
/** 401: the API key is missing, unknown or expired. */
export class AuthenticationError extends ApiError {
  override name = 'AuthenticationError'
}
/** 402: the organization may not use this feature now. */
export class PaymentRequiredError extends ApiError {
  override name = 'PaymentRequiredError'
}
/** 403: the API key may not do this. */
export class PermissionError extends ApiError {
  override name = 'PermissionError'
}
/** 404: the organization has no object with this id. */
export class NotFoundError extends ApiError {
  override name = 'NotFoundError'
}
/** 409: the object's state forbids this, or the object has changed since you read it. */
export class ConflictError extends ApiError {
  override name = 'ConflictError'
}
/** The server answered 413: the body is too large. */
export class TooLargeError extends ApiError {
  override name = 'TooLargeError'
}
/** 422: `problems` lists each place and the rule that it breaks. */
export class InvalidError extends ApiError {
  override name = 'InvalidError'

  /** The problems at a place such as `email` or `consent.email`, and inside it. */
  at(place: string): ValidationDetail[] {
    return this.problems.filter(({ loc }) => `${loc.slice(1).join('.')}.`.startsWith(`${place}.`))
  }
}
/** 429: too many requests, even after the client's retries. */
export class RateLimitError extends ApiError {
  override name = 'RateLimitError'
}
/** 500 and above: the server, or a service behind it, failed. */
export class ServerError extends ApiError {
  override name = 'ServerError'
}

const byStatus: Record<number, typeof ApiError> = {
  400: BadRequestError,
  401: AuthenticationError,
  402: PaymentRequiredError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  413: TooLargeError,
  422: InvalidError,
  429: RateLimitError,
}

/**
 * @param request method and path, for the message
 * @param text the body of the answer
 */
export function errorOf(request: string, { status, headers }: Response, text: string): ApiError {
  const Kind = byStatus[status] ?? (status >= 500 ? ServerError : ApiError)
  const body = parse(text)
  return new Kind(request, { status, headers, body, ...readProblem(status, headers, body) })
}

function readProblem(status: number, headers: Headers, parsed: unknown) {
  const body: Record<string, unknown> = Object(parsed)
  const problems = Array.isArray(body.detail) ? body.detail.filter(isProblem) : []
  const code = typeof body.code === 'string' ? body.code : null
  const detail =
    typeof body.detail === 'string'
      ? body.detail + (code === 'path_not_found' ? ': check baseUrl' : '')
      : problems.map((problem) => `${problem.loc.join('.')}: ${problem.msg}${hintOf(problem)}`).join('; ')
  return { code, problems, detail: detail || strange(status, headers) }
}

const isProblem = (value: unknown): value is ValidationDetail => {
  const { loc, msg } = Object(value) as { loc?: unknown; msg?: unknown }
  return Array.isArray(loc) && loc.every(isShown) && typeof msg === 'string'
}

const isShown = (value: unknown) => typeof value === 'string' || typeof value === 'number'

/** Returns the server's suggestion in brackets; empty if the message has it. */
function hintOf({ msg, ctx }: ValidationDetail): string {
  const { nearest, expected } = Object(ctx) as { nearest?: unknown; expected?: unknown }
  if (nearest && isShown(nearest)) return ` (did you mean ${nearest}?)`
  return expected && isShown(expected) && !msg.includes(String(expected)) ? ` (expected: ${expected})` : ''
}

function strange(status: number, headers: Headers): string {
  const to = status >= 300 && status < 400 ? headers.get('location') : null
  if (to) return `The server redirects to ${to}: use the address of Crosswalk itself as baseUrl`
  const type = headers.get('content-type') ?? 'nothing'
  return `The answer is not from Crosswalk (${type}): check baseUrl, and the proxy in front of Crosswalk`
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Reads Retry-After, which is a number or a date; null without it. */
function retryAfterOf(headers: Headers): number | null {
  const text = headers.get('retry-after')
  if (text === null) return null
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  return Number.isNaN(seconds) ? null : Math.max(0, seconds)
}
