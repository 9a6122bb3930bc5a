/** The database cannot serve now. The request gets 503 with Retry-After. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable'
}

/** One org uses its full share of connections, and none becomes free in time. The database itself works. */
export class OrgBusy extends DatabaseUnavailable {
  override name = 'OrgBusy'
}

/** This process is too busy to read answers, although the database sends them. */
export class ThreadBusy extends DatabaseUnavailable {
  override name = 'ThreadBusy'
}

/** The connection broke during a commit. Either the whole transaction took effect, or none of it. */
export class CommitUnknown extends DatabaseUnavailable {
  override name = 'CommitUnknown'
}

const socketFailures = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
])

// 08: connection exception. 28: login refused. 57P0x: shutdown, start or drop. 53300: too many
// connections. 25P03, 25P04: idle or long transaction ended.
// https://www.postgresql.org/docs/current/errcodes-appendix.html
const connectionStates = /^(08...|28...|57P0[1-5]|53300|25P0[34])$/

// 53: disk full or out of memory. 57014: statement timeout. 55P03: lock timeout. 25006: read-only
// standby. 58030: I/O error.
const otherUnavailableStates = /^(53...|57014|55P03|25006|58030)$/

// Codes of Node for a certificate that it refuses, or for a TLS handshake that fails.
const tlsFailures = /^(UNABLE_TO_|CERT_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH|ERR_TLS_|ERR_SSL_|EPROTO)/
const noTls = /^(The server does not support SSL|There was an error establishing an SSL)/

/** True if a connection to PostgreSQL failed because of TLS. */
export const isTlsFailure = (error: Error): boolean =>
  tlsFailures.test(codeOf(error)) || noTls.test(error.message)

// Errors of pg that have no code, by their message.
const connectionFailures =
  /^(Connection terminated|timeout e|Query read timeout|Client has encountered|Client was closed|Cannot use a pool)/

/** True if `error` means that the database is unreachable, full, too slow or shutting down. */
export function isUnavailable(error: unknown): error is DatabaseUnavailable {
  return error instanceof DatabaseUnavailable
}

/** Handles a rejection: returns `value` if the database is unavailable. @throws any other error */
export const ifUnavailable =
  <Value>(value: Value) =>
  (error: unknown): Value => {
    if (isUnavailable(error)) return value
    throw error
  }

/**
 * Turns an error of the driver that a retry can solve into DatabaseUnavailable. Other errors stay
 * unchanged.
 */
export function toUnavailable(error: unknown): unknown {
  const state = codeOf(error)
  const notNow = isConnectionFailure(error) || otherUnavailableStates.test(state)
  if (!notNow || isUnavailable(error)) return error
  return new DatabaseUnavailable(`The database cannot serve now: ${(error as Error).message}`, {
    cause: error,
  })
}

// The messages of pg after too long a wait for a free or new connection.
const connectionTimeoutMessages = /^(timeout e|Connection terminated due to connection timeout)/

/** True if the wait for a connection timed out. */
export function isConnectionTimeout(error: unknown): boolean {
  return error instanceof Error && connectionTimeoutMessages.test(error.message)
}

/** True if `error` means that the connection broke or is about to end. */
export function isConnectionLoss(error: unknown): boolean {
  return isUnavailable(error) && isConnectionFailure(error.cause)
}

/** True if PostgreSQL stopped a statement because it ran for too long. */
export const isStatementTimeout = (error: unknown): boolean =>
  isUnavailable(error) && codeOf(error.cause) === '57014'

/**
 * Returns PostgreSQL's own error if a statement wrote in a read-only transaction: that is a mistake in Crosswalk's
 * code, and no retry helps. Other errors stay unchanged.
 */
export function unwrapReadOnlyError(error: unknown): unknown {
  return isUnavailable(error) && codeOf(error.cause) === '25006' ? error.cause : error
}

/**
 * True if a prepared statement is unknown to PostgreSQL (26000), or if a migration changed its columns. A retry on
 * another connection prepares the statement again.
 */
export function isStaleStatement(error: unknown): boolean {
  const { routine } = (error ?? {}) as { routine?: string }
  return codeOf(error) === '26000' || (codeOf(error) === '0A000' && routine === 'RevalidateCachedQuery')
}

/**
 * Whether the transaction can run again: it lost a conflict with another transaction (40001, 40P01), or used stale
 * statements.
 */
export function isRetryable(error: unknown): boolean {
  return ['40001', '40P01'].includes(codeOf(error)) || isStaleStatement(error)
}

/** True if a statement failed only because an earlier one in its transaction failed (25P02). */
export function isAbortedTransaction(error: unknown): boolean {
  return codeOf(error) === '25P02'
}

function isConnectionFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = codeOf(error)
  if (code === '' && error instanceof AggregateError) return error.errors.some(isConnectionFailure)
  if (isTlsFailure(error)) return true
  return code === ''
    ? connectionFailures.test(error.message)
    : socketFailures.has(code) || connectionStates.test(code) || isMissingSocket(error)
}

/** A Unix socket that does not exist. Any other missing file is not an error of the database. */
const isMissingSocket = (error: NodeJS.ErrnoException) =>
  error.code === 'ENOENT' && error.syscall === 'connect'

/** Returns the SQLSTATE of an error of PostgreSQL; '' for any other error. */
export function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' ? code : ''
}
