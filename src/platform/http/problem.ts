import type { DomainError, ErrorKind } from '../domain-error.ts'

const statuses: Readonly<Record<ErrorKind, number>> = {
  invalid: 400,
  unauthenticated: 401,
  payment_required: 402,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  timeout: 408,
  conflict: 409,
  too_large: 413,
  too_many: 429,
  bad_gateway: 502,
  unavailable: 503,
}

/** The answer that a domain error gets: its status, headers and body. */
export type Problem = {
  status: number
  headers: Record<string, string>
  body: { detail: string; code?: string }
}

/** The answer that the error gets. */
export function problemOf({ kind, message: detail, code, retryAfterSeconds, headers }: DomainError): Problem {
  return {
    status: statuses[kind],
    headers: {
      ...headers,
      ...(kind === 'unauthenticated' ? { 'www-authenticate': 'Bearer' } : {}),
      ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
    },
    body: code === undefined ? { detail } : { detail, code },
  }
}
