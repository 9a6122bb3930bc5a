import { closeSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { Failure } from '../exit.ts'

const retryMs = 20
/** The work takes milliseconds, so an older lock is left from a process that was killed. */
const staleMs = 5000

/** Runs the work while this process has the lock. The lock is a file. @throws Failure after 10 s */
export async function withLock(path: string, work: () => void): Promise<void> {
  const startedAt = Date.now()
  while (!take(path)) {
    if (Date.now() - startedAt > 2 * staleMs)
      throw new Failure(`Another crosswalk command changes the profiles. If none runs, delete ${path}`)
    await delay(retryMs)
  }
  try {
    work()
  } finally {
    rmSync(path, { force: true })
  }
}

function take(path: string): boolean {
  try {
    closeSync(openSync(path, 'wx'))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    dropStale(path)
    return false
  }
}

/** Removes the lock of a process that was killed. */
function dropStale(path: string): void {
  const isFresh = (file: string) =>
    Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) <= staleMs
  if (isFresh(path)) return
  // Another process may have dropped the lock meanwhile, and a third one may have a new lock. So move the lock away,
  // check its age again, and move it back if it is new.
  const moved = `${path}.${process.pid}`
  try {
    renameSync(path, moved)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  if (isFresh(moved)) renameSync(moved, path)
  else rmSync(moved)
}
