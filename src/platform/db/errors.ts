/** The database cannot serve now; the request may be retried. Answered with 503 and Retry-After. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable'
}

const connectionFailures = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
])

// Class 08 connection exception, 53 insufficient resources (disk full, too many connections), 57P0x the server
// shuts down or starts, 57014 statement time-out, 55P03 lock time-out, 25006 a read-only standby, 58030 I/O error.
// https://www.postgresql.org/docs/current/errcodes-appendix.html
const unavailableStates = /^(08...|53...|57P0[1-5]|57014|55P03|25006|58030)$/

const poolFailures =
  /timeout exceeded when trying to connect|Connection terminated|Query read timeout|not queryable|pool after calling end/i

/** True if `error` says that the database is away, full, too slow or shutting down. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true
  if (!(error instanceof Error)) return false
  const code = (error as { code?: unknown }).code
  if (typeof code === 'string' && (connectionFailures.has(code) || unavailableStates.test(code))) return true
  if (error instanceof AggregateError) return error.errors.some(isUnavailable)
  return poolFailures.test(error.message)
}

/** True if the transaction lost against another one and may simply be run again (40001, 40P01). */
export function isSerializationFailure(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return code === '40001' || code === '40P01'
}

/** The violated constraint's name if `error` is a foreign-key violation (23503), else null. */
export function violatedForeignKey(error: unknown): string | null {
  const { code, constraint } = (error ?? {}) as { code?: string; constraint?: string }
  return code === '23503' ? (constraint ?? '') : null
}
