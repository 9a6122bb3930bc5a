import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EmbeddedPostgresFault } from './faults.ts'
import { canEnter, type User } from './user.ts'

/** The port is only a part of the socket's name: PostgreSQL does not listen on the network. */
export const socketPort = 5432

/**
 * Returns a folder for the socket: `run` below the database, the `recorded` folder, or a new temporary one. It has
 * mode 0700, belongs to the server's user, and has a path that fits a Unix socket.
 */
export function prepareSocketDir(run: string, recorded: string | undefined, user: User | undefined): string {
  if (fitsSocketPath(run)) return ensurePrivateFolder(run, user)
  if (recorded && fitsSocketPath(recorded) && isPrivate(recorded, user)) return recorded
  const parent = [tmpdir(), '/tmp'].find(
    (dir) => fitsSocketPath(join(dir, 'crosswalk-abcdef')) && (!user || canEnter(dir, user)),
  )
  if (!parent) {
    throw new EmbeddedPostgresFault(
      `The path ${run} is too long for a Unix socket, and so is TMPDIR: shorten one of them.`,
    )
  }
  return ensurePrivateFolder(fs.mkdtempSync(join(parent, 'crosswalk-')), user)
}

/** Creates the folder again if a cleaner of temporary files deleted it while the server was running. */
export function ensurePrivateFolder(dir: string, user: User | undefined): string {
  fs.mkdirSync(dir, { recursive: true, mode: 0o700 })
  if (user) fs.lchownSync(dir, user.uid, user.gid)
  if (!isPrivate(dir, user)) {
    throw new EmbeddedPostgresFault(`${dir} must be a folder of PostgreSQL's user alone: delete it.`)
  }
  return dir
}

/** The path of PostgreSQL's socket in a folder. */
export function socketIn(dir: string): string {
  return join(dir, `.s.PGSQL.${socketPort}`)
}

// The limit is 103 bytes on macOS, and 107 bytes on Linux.
const fitsSocketPath = (dir: string) => Buffer.byteLength(socketIn(dir)) <= 103

function isPrivate(dir: string, user: User | undefined): boolean {
  const stat = fs.lstatSync(dir, { throwIfNoEntry: false })
  const uid = user?.uid ?? process.getuid?.()
  return !!stat?.isDirectory() && (stat.uid | 0) === uid && (stat.mode & 0o077) === 0
}

/** Deletes a socket folder among the temporary files, unless another process uses it. */
export function releaseSocketDir(dir: string, run: string): void {
  if (dir === run) return
  try {
    fs.rmdirSync(dir)
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}
