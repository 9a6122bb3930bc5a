import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import { dirname } from 'node:path'

/**
 * Creates a folder that only this user can list. If root creates it, others may enter it: PostgreSQL does not run as
 * root, and its user must reach the database inside.
 */
export function makeFolder(dir: string): void {
  if (fs.statSync(dir, { throwIfNoEntry: false })?.isDirectory()) return
  makeFolder(dirname(dir))
  try {
    const mode = process.getuid?.() === 0 ? 0o711 : 0o700
    fs.mkdirSync(dir, { mode })
    fs.chmodSync(dir, mode) // for any umask
  } catch (error) {
    if (!fs.statSync(dir, { throwIfNoEntry: false })?.isDirectory()) throw error // another process may have created it
  }
}

/** A temporary name beside `path`. A rename then makes the complete file appear at `path`. */
export function temporaryName(path: string): string {
  return `${path}.tmp-${process.pid}-${randomBytes(4).toString('hex')}`
}

/** Creates a complete file in one step. Only its owner can read it. Returns false if the file exists. */
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

/** Replaces a file in one step. Only its owner can read it. */
export function replaceFile(path: string, content: string): void {
  const draft = temporaryName(path)
  fs.writeFileSync(draft, content, ownFile)
  fs.renameSync(draft, path)
}

// Flush before the rename: after a power failure, the file could be empty otherwise.
const ownFile = { mode: 0o600, flush: true }
