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
