import * as fs from 'node:fs'
import { join } from 'node:path'

/** Renames a finished folder to its final name. If another process was faster, deletes the folder and returns false. */
export function renameInto(temporary: string, path: string): boolean {
  try {
    fs.renameSync(temporary, path)
    return true
  } catch (error) {
    fs.rmSync(temporary, { recursive: true, force: true })
    if (['EEXIST', 'ENOTEMPTY'].includes((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
}

/** Deletes unfinished files with this `prefix` that killed processes left in `folder`. */
export function removeLeftovers(folder: string, prefix: string): void {
  for (const name of fs.readdirSync(folder)) {
    const pid = Number(name.match(/\.tmp-(\d+)-[0-9a-f]{8}$/)?.[1])
    const path = join(folder, name)
    if (name.startsWith(prefix) && pid && isLeftover(path, pid))
      fs.rmSync(path, { recursive: true, force: true })
  }
}

function isLeftover(path: string, pid: number): boolean {
  if (pid === process.pid) {
    // In a container, a restarted process often gets the same process number.
    const startedMs = Date.now() - process.uptime() * 1000
    return (fs.statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) < startedMs
  }
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
