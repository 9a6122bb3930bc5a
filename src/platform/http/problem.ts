import type { DomainError, SsoOrg } from '../domain-error.ts'
import type { RefusalCode, RefusalKind } from '../error-codes/catalog.ts'

/** The HTTP status of each kind of refusal. */
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
export type ProblemBody = {
  detail: unknown
  code: RefusalCode
  confirm?: readonly string[]
  sso?: readonly SsoOrg[]
}

/** The answer for a domain error: its status, headers and body. */
export type Problem = {
  status: number
  headers: Record<string, string>
  body: ProblemBody
}

/** Returns the status, headers and body for a refusal. */
export function problemOf(refusal: DomainError): Problem {
  const { kind, message: detail, code, retryAfterSeconds, headers, confirm, sso } = refusal
  return {
    status: statuses[kind],
    headers: {
      ...(kind === 'unauthenticated' ? { 'www-authenticate': 'Bearer' } : {}),
      ...headers,
      ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
    },
    body: { detail, code, ...(confirm ? { confirm } : {}), ...(sso ? { sso } : {}) },
  }
}
