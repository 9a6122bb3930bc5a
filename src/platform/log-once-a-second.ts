import type { Logger } from 'pino'

/** For each log and subject, how many lines were left out in the current second. */
const leftOut = new WeakMap<Pick<Logger, 'error'>, Map<string, number>>()

/** The subject of all lines about an outage of the database, of requests and of background work. */
export const databaseOutage = 'the database is not available'

/**
 * Logs an error that many requests can have at once, such as an outage of the database: one line a second. At the end of
 * each second with more of these errors, one line tells how many there were (`failures`).
 * @param fields of the first request
 */
export function logOnceASecond(log: Pick<Logger, 'error'>, fields: object, message: string): void {
  writeOnceASecond(log, message, () => log.error(fields, message))
}

/** Calls `write` if there was no line about `subject` in this second. Otherwise counts it. */
export function writeOnceASecond(log: Pick<Logger, 'error'>, subject: string, write: () => void): void {
  const counts = leftOut.get(log) ?? new Map<string, number>()
  leftOut.set(log, counts)
  const count = counts.get(subject)
  if (count !== undefined) counts.set(subject, count + 1)
  else {
    write()
    waitASecond(log, counts, subject)
  }
}

function waitASecond(log: Pick<Logger, 'error'>, counts: Map<string, number>, subject: string): void {
  counts.set(subject, 0)
  setTimeout(() => {
    const failures = counts.get(subject)
    counts.delete(subject)
    if (!failures) return
    log.error({ failures }, subject)
    waitASecond(log, counts, subject)
  }, 1_000).unref()
}
