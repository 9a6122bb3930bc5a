import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder, and those above it, for this user alone. Root's let others through, but not look around: PostgreSQL
 * refuses to run as root, and its user has to come to what lies inside.
 */
export function makeFolder(dir: string): void {
  if (fs.statSync(dir, { throwIfNoEntry: false })?.isDirectory()) return
  makeFolder(dirname(dir))
  try {
    const mode = process.getuid?.() === 0 ? 0o711 : 0o700
    fs.mkdirSync(dir, { mode })
    fs.chmodSync(dir, mode) // whatever the umask
  } catch (error) {
    if (!fs.statSync(dir, { throwIfNoEntry: false })?.isDirectory()) throw error // or another process was faster
  }
}

/** A name beside `path` under which something is made ready, so that `path` itself is either absent or whole. */
export function temporaryName(path: string): string {
  return `${path}.tmp-${process.pid}-${randomBytes(4).toString('hex')}`
}

/** Makes a file, readable by its owner alone and whole from the first moment on; false if there is one already. */
export function makeFile(path: string, content: string): boolean {
  const draft = temporaryName(path)
  try {
    fs.writeFileSync(draft, content, ownFile)
    fs.linkSync(draft, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    fs.rmSync(draft, { force: true })
  }
}

/** Replaces a file in one step, readable by its owner alone. */
export function replaceFile(path: string, content: string): void {
  const draft = temporaryName(path)
  fs.writeFileSync(draft, content, ownFile)
  fs.renameSync(draft, path)
}

// On the disk before it has its name: not empty after a power cut.
const ownFile = { mode: 0o600, flush: true }
