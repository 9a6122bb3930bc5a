import { closeSync, openSync, rmSync, statSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { Failure } from '../exit.ts'

const retryMs = 20
/** The work takes milliseconds, so an older lock is left from a process that was killed. */
const staleMs = 5000

/** Does the work while no other process has the lock, which is a file. @throws Failure after 10 s */
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
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
    if (age > staleMs) rmSync(path, { force: true })
    return false
  }
}
