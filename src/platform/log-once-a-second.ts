import type { Logger } from 'pino'

/** `failures`: how many lines were left out in the current second. `reason`: the latest reason in these lines. */
type LeftOut = { failures: number; reason?: string }

/** For each log and subject. */
const leftOut = new WeakMap<Pick<Logger, 'error'>, Map<string, LeftOut>>()

/** The subject of all lines about an outage of the database, of requests and of background work. */
export const databaseOutage = 'the database is not available'

/**
 * Logs an error that many requests can have at once, such as an outage of the database: one line a second. At the end of
 * each second with more of these errors, one line tells how many there were (`failures`), and the latest reason.
 * @param fields of the first request
 */
export function logOnceASecond(
  log: Pick<Logger, 'error'>,
  fields: Record<string, unknown> & { reason?: string },
  message: string,
): void {
  writeOnceASecond(log, message, fields.reason, () => log.error(fields, message))
}

/** Calls `write` if there was no line about `subject` in this second. Otherwise counts it. */
export function writeOnceASecond(
  log: Pick<Logger, 'error'>,
  subject: string,
  reason: string | undefined,
  write: () => void,
): void {
  const subjects = leftOut.get(log) ?? new Map<string, LeftOut>()
  leftOut.set(log, subjects)
  const lines = subjects.get(subject)
  if (lines) {
    lines.failures++
    if (reason !== undefined) lines.reason = reason
  } else {
    write()
    waitASecond(log, subjects, subject)
  }
}

function waitASecond(log: Pick<Logger, 'error'>, subjects: Map<string, LeftOut>, subject: string): void {
  const lines: LeftOut = { failures: 0 }
  subjects.set(subject, lines)
  setTimeout(() => {
    subjects.delete(subject)
    if (lines.failures === 0) return
    log.error(lines, subject)
    waitASecond(log, subjects, subject)
  }, 1_000).unref()
}
