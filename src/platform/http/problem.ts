import type { DomainError } from '../domain-error.ts'
import type { RefusalCode, RefusalKind } from '../error-codes/catalog.ts'

/** The status of each kind of refusal. */
export const statuses: Readonly<Record<RefusalKind, number>> = {
  invalid: 400,
  unauthenticated: 401,
  payment_required: 402,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  timeout: 408,
  conflict: 409,
  too_large: 413,
  unprocessable: 422,
  too_many: 429,
  headers_too_large: 431,
  internal: 500,
  bad_gateway: 502,
  unavailable: 503,
}

/** The body of every error answer. Programs read `code`, and people read `detail`. */
export type ProblemBody = { detail: unknown; code: RefusalCode }

/** The answer for a domain error: its status, headers and body. */
export type Problem = {
  status: number
  headers: Record<string, string>
  body: ProblemBody
}

/** Makes the answer for a domain error. */
export function problemOf({ kind, message: detail, code, retryAfterSeconds, headers }: DomainError): Problem {
  return {
    status: statuses[kind],
    headers: {
      ...headers,
      ...(kind === 'unauthenticated' ? { 'www-authenticate': 'Bearer' } : {}),
      ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
    },
    body: { detail, code },
  }
}
