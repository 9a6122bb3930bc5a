import type { ErrorCode, ValidationDetail } from './generated/types.ts'

/**
 * The base class of every error that this package throws. If the caller aborts a signal, the reason of the signal is
 * thrown instead.
 */
export class CrosswalkError extends Error {
  override name = 'CrosswalkError'
}

/** The client or a call was set up wrong: the message says which option to change. Nothing was sent. */
export class ConfigurationError extends CrosswalkError {
  override name = 'ConfigurationError'
}

/** No answer came: the server cannot be reached, or the connection broke. */
export class ConnectionError extends CrosswalkError {
  override name = 'ConnectionError'
  /** The error code of the operating system, such as `ECONNREFUSED`; null if the runtime does not give one. */
  readonly code: string | null

  constructor(message: string, code: string | null = null) {
    super(message)
    this.code = code
  }
}

/** No answer came within `timeoutMs`, or the call did not end within `deadlineMs`. */
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
}

/** The server answered with an error, or with something that is not an answer of Crosswalk. */
export class ApiError extends CrosswalkError {
  override name = 'ApiError'
  readonly status: number
  /** The stable word for this error; null if the answer is not from Crosswalk. New codes may appear. */
  readonly code: ErrorCode | (string & {}) | null
  /** The text for people. Do not compare it in code: the texts change. */
  readonly detail: string
  /** The places and rules of a 422; empty for any other error. */
  readonly problems: ValidationDetail[]
  readonly requestId: string | null
  /** Seconds after which the request may be repeated; null if the answer does not say so. */
  readonly retryAfter: number | null
  readonly headers: Headers
  /** True if this is the stored answer of an earlier request with the same idempotency key. */
  readonly replayed: boolean

  constructor(request: string, { status, code, detail, problems, headers }: Refusal) {
    const requestId = headers.get('x-request-id')
    super(`${status}${code ? ` ${code}` : ''}: ${detail} (${request}${requestId ? `, ${requestId}` : ''})`)
    this.status = status
    this.code = code
    this.detail = detail
    this.problems = problems
    this.requestId = requestId
    this.retryAfter = retryAfterOf(headers)
    this.headers = headers
    this.replayed = headers.get('idempotent-replayed') === 'true'
  }
}

/** 400: the request cannot be carried out as it was sent. */
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
/** 409: the state of the object does not allow this, or it changed since you read it. */
export class ConflictError extends ApiError {
  override name = 'ConflictError'
}
/** 413: the body is too large. */
export class TooLargeError extends ApiError {
  override name = 'TooLargeError'
}
/** 422: `problems` lists each place and the rule that it breaks. */
export class InvalidError extends ApiError {
  override name = 'InvalidError'

  /** The problems at a place such as `email` or `consent.email`, and below it. */
  at(place: string): ValidationDetail[] {
    return this.problems.filter(({ loc }) => `${loc.slice(1).join('.')}.`.startsWith(`${place}.`))
  }
}
/** 429: too many requests, also after the client's own retries. */
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
 * The error for an answer.
 * @param request method and path, for the message
 * @param text the body of the answer
 */
export function errorOf(request: string, { status, headers }: Response, text: string): ApiError {
  const Kind = byStatus[status] ?? (status >= 500 ? ServerError : ApiError)
  return new Kind(request, { status, headers, ...readProblem(status, headers, text) })
}

function readProblem(status: number, headers: Headers, text: string) {
  const body = parseObject(text)
  const problems = Array.isArray(body.detail) ? (body.detail as ValidationDetail[]) : []
  const code = typeof body.code === 'string' ? body.code : null
  const detail =
    typeof body.detail === 'string'
      ? body.detail
      : problems.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ')
  return { code, problems, detail: detail || strange(status, headers) }
}

function strange(status: number, headers: Headers): string {
  const to = status >= 300 && status < 400 ? headers.get('location') : null
  if (to) return `The server redirects to ${to}: use the address of Crosswalk itself as baseUrl`
  const type = headers.get('content-type') ?? 'nothing'
  return `The answer is no JSON of Crosswalk (${type}): check baseUrl, and the proxy in front of Crosswalk`
}

function parseObject(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

/** Seconds of Retry-After, which may be a number or a date; null if there is none. */
function retryAfterOf(headers: Headers): number | null {
  const text = headers.get('retry-after')
  if (text === null) return null
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  return Number.isNaN(seconds) ? null : Math.max(0, seconds)
}
