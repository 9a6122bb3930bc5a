/** The database cannot serve now; the request may be retried. Answered with 503 and Retry-After. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable'
}

/** One org has all the connections that it may have, and they do not come free. The database itself is well. */
export class OrgBusy extends DatabaseUnavailable {
  override name = 'OrgBusy'
}

/** This process is too busy to read what the database answers. The database itself is well. */
export class ThreadBusy extends DatabaseUnavailable {
  override name = 'ThreadBusy'
}

/** The connection broke while a commit was under way: all of the transaction took effect, or none of it. */
export class CommitUnknown extends DatabaseUnavailable {
  override name = 'CommitUnknown'
}

const socketFailures = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
])

// Class 08 connection exception, 28 the login is refused, 57P0x the server shuts down, starts or drops the
// database, 53300 too many connections, 25P03 and 25P04 an idle or long transaction was ended with its connection.
// https://www.postgresql.org/docs/current/errcodes-appendix.html
const connectionStates = /^(08...|28...|57P0[1-5]|53300|25P0[34])$/

// 53 insufficient resources (disk full, out of memory), 57014 statement time-out, 55P03 lock time-out, 25006 a
// read-only standby, 58030 I/O error.
const otherUnavailableStates = /^(53...|57014|55P03|25006|58030)$/

// pg's own words; it gives them no code.
const connectionFailures =
  /^(Connection terminated|timeout e|Query read timeout|Client has encountered|Client was closed|Cannot use a pool)/

/** True if `error` says that the database is away, full, too slow or shutting down. */
export function isUnavailable(error: unknown): error is DatabaseUnavailable {
  return error instanceof DatabaseUnavailable
}

/** What to throw for a failure of the driver's: DatabaseUnavailable if it means "not now", else the error itself. */
export function toUnavailable(error: unknown): unknown {
  const state = codeOf(error)
  const notNow = isConnectionFailure(error) || otherUnavailableStates.test(state)
  if (!notNow || isUnavailable(error)) return error
  return new DatabaseUnavailable(`The database cannot serve now: ${(error as Error).message}`, {
    cause: error,
  })
}

// A wait for a connection that comes free, or for a new one.
const connectionTimeoutMessages = /^(timeout e|Connection terminated due to connection timeout)/

/** True if `error` says that a connection was waited for too long. */
export function isConnectionTimeout(error: unknown): boolean {
  return error instanceof Error && connectionTimeoutMessages.test(error.message)
}

/** True if `error` says that the connection is gone, or its end is announced. */
export function losesConnection(error: unknown): boolean {
  return isUnavailable(error) && isConnectionFailure(error.cause)
}

/**
 * `error`, unless it says that a statement wrote or locked in a transaction that was opened to read: then what PostgreSQL
 * said, for that is a mistake of ours on any database, and trying again would not mend it.
 */
export function unwrapReadOnlyMistake(error: unknown): unknown {
  return isUnavailable(error) && codeOf(error.cause) === '25006' ? error.cause : error
}

/**
 * True if the connection's prepared statements no longer fit the database: they are gone (26000), or a migration
 * changed what they return. Another connection prepares them again.
 */
export function isStaleStatement(error: unknown): boolean {
  const { routine } = (error ?? {}) as { routine?: string }
  return codeOf(error) === '26000' || (codeOf(error) === '0A000' && routine === 'RevalidateCachedQuery')
}

/** True if the transaction lost against another one (40001, 40P01) or met stale statements: run it again. */
export function mayRunAgain(error: unknown): boolean {
  return ['40001', '40P01'].includes(codeOf(error)) || isStaleStatement(error)
}

/** True for a statement that failed only because one before it in its transaction had (25P02). */
export function isAbortedTransaction(error: unknown): boolean {
  return codeOf(error) === '25P02'
}

function isConnectionFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = codeOf(error)
  if (code === '' && error instanceof AggregateError) return error.errors.some(isConnectionFailure)
  return code === ''
    ? connectionFailures.test(error.message)
    : socketFailures.has(code) || connectionStates.test(code)
}

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' ? code : ''
}
