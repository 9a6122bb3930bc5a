import type { Log } from './log.ts'

/** For each log and message, how many lines were left out in the current second. */
const leftOut = new WeakMap<Log, Map<string, number>>()

/**
 * Logs an error that many requests can have at once, such as an outage of the database: one line a second. At the end of
 * each second with more of these errors, one line tells how many there were (`requests`).
 * @param fields of the first request
 */
export function logOnceASecond(log: Log, fields: object, message: string): void {
  const counts = leftOut.get(log) ?? new Map<string, number>()
  leftOut.set(log, counts)
  const count = counts.get(message)
  if (count !== undefined) counts.set(message, count + 1)
  else {
    log.error(fields, message)
    waitASecond(log, counts, message)
  }
}

function waitASecond(log: Log, counts: Map<string, number>, message: string): void {
  counts.set(message, 0)
  setTimeout(() => {
    const requests = counts.get(message)
    counts.delete(message)
    if (!requests) return
    log.error({ requests }, message)
    waitASecond(log, counts, message)
  }, 1_000).unref()
}
