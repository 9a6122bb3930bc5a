import * as fs from 'node:fs'
import { isConnectionLoss, isUnavailable, toUnavailable } from '../errors.ts'
import type { DatabaseFolder } from './database-folder.ts'
import { EmbeddedPostgresFault, explainLogLine } from './faults.ts'

/** The length of PostgreSQL's log in bytes; 0 if there is none. */
export const lengthOfLog = ({ logFile }: DatabaseFolder): number =>
  fs.statSync(logFile, { throwIfNoEntry: false })?.size ?? 0

/**
 * Turns a failure of PostgreSQL into a fault with the reason that it logged, such as a full disk. Other errors stay
 * unchanged.
 * @param from the length of PostgreSQL's log at its start
 */
export function explainLoss(error: unknown, home: DatabaseFolder, from: number): unknown {
  const unavailable = toUnavailable(error)
  if (!isUnavailable(unavailable)) return error
  const lines = readLog(home, from).split('\n')
  const full = lines.find((line) => /no space left|quota exceeded/i.test(line))
  if (full) return explainLogLine(full, home.dataDir)
  if (!isConnectionLoss(unavailable)) return error
  const panic = lines.findLast((line) => line.includes('PANIC:'))?.replace(/^.*PANIC:\s*/, ': ') ?? ''
  return new EmbeddedPostgresFault(`The embedded PostgreSQL ended${panic} (see ${home.logFile}).`, {
    cause: error,
  })
}

/** A log that is shorter than `from` is a new one. */
function readLog(home: DatabaseFolder, from: number): string {
  const length = lengthOfLog(home)
  const start = length < from ? 0 : from
  return length === 0 ? '' : fs.readFileSync(home.logFile).subarray(start).toString('utf8')
}
