import { closeSync, openSync, readFileSync } from 'node:fs'
import { devNull } from 'node:os'

/** The maximum number of open connections of one process. More would leave no room for connections to the database. */
const connectionsMax = 4_096
/** The files and connections that a process needs besides those of its clients, such as those to the database. */
const reserved = 128

/**
 * Returns the maximum number of connections of a process.
 * @param files how many files the process may open; null: unknown
 */
export function connectionsWithin(files: number | null): number {
  if (files === null) return connectionsMax
  return Math.min(connectionsMax, Math.max(files - reserved, Math.floor(files / 2)))
}

/**
 * Returns how many files and connections the system lets this process open (`ulimit -n`); null: unknown, because the
 * system is not Linux, or there is no limit. At the limit, the system closes new connections without an error, and
 * connections to the database fail.
 */
export function openFilesMax(): number | null {
  try {
    const [, limit] = /^Max open files +(\d+) /m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return limit === undefined ? null : Number(limit)
  } catch {
    return null
  }
}

/**
 * Makes Linux allocate the table of open files of this process for all its connections. Linux doubles a full table.
 * Meanwhile, the thread that opens the next file waits for all processors (`expand_files` in fs/file.c). On a busy machine, each
 * doubling stopped all requests for up to 1.2 seconds. A table never becomes smaller.
 */
export function allocateOpenFiles(): void {
  if (process.platform !== 'linux') return
  const count = connectionsWithin(openFilesMax()) + reserved
  const files: number[] = []
  try {
    while (files.length < count) files.push(openSync(devNull, 'r'))
  } catch {
    // The limit of the process is reached, so the table cannot become larger.
  } finally {
    for (const file of files) closeSync(file)
  }
}
