import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'

export type User = { uid: number; gid: number }

/** True if this process is root. PostgreSQL refuses to run as root. */
export function isRoot(): boolean {
  return process.getuid?.() === 0
}

/** Returns the unprivileged user that runs initdb, which needs a user of the system's user database. */
export function nobody(): User {
  return { uid: idOfNobody('-u'), gid: idOfNobody('-g') }
}

function idOfNobody(flag: '-u' | '-g'): number {
  const id = Number(spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' }).stdout || 65_534)
  return id | 0 // macOS prints 4294967294 for the id that spawn expects as -2
}

/**
 * An unprivileged user for this server alone: another program that runs as `nobody` could read its data or signal it.
 * Distributions leave these ids free (systemd's UIDS-GIDS document: 60706 to 61183).
 */
export function newServerUser(): User {
  const id = 60_706 + randomInt(478)
  return { uid: id, gid: id }
}

/** True if `user` exists in the range of ids of this system or container, and may enter `dir`. */
export function canEnter(dir: string, user: User): boolean {
  return spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', dir], { ...user, cwd: '/', env: {} }).status === 0
}
