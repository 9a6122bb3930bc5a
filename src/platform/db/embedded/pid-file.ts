import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { connect } from 'node:net'
import { basename, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { EmbeddedLog } from './log.ts'
import { socketIn } from './socket-dir.ts'

/** A PostgreSQL that serves a cluster. If it answers but runs in another container, `pid` is missing. */
export type RunningPostgres = { pid?: number; socketDir: string; status: string }

/** Finds the PostgreSQL that serves this cluster. `run` is the cluster's own socket folder. */
export async function findRunning(cluster: string, run: string): Promise<RunningPostgres | undefined> {
  const file = readPidFile(cluster)
  if (!file) return undefined
  if (isPostmaster(file.pid, cluster)) return file
  // The process is in another container, so its number means nothing here. Its socket in the shared folder works.
  return (await answersOnSocket(run)) ? { socketDir: run, status: 'ready' } : undefined
}

/** Reads `postmaster.pid` (status: starting, ready or stopping); undefined if it is missing or empty. */
export function readPidFile(cluster: string): (RunningPostgres & { pid: number }) | undefined {
  const [pid, , , , socketDir = '', , , status = ''] =
    readIfExists(join(cluster, 'postmaster.pid'))?.split('\n') ?? []
  return Number(pid) > 0 ? { pid: Number(pid), socketDir, status: status.trim() } : undefined
}

/**
 * Makes the pid file or socket lock of a dead PostgreSQL harmless. Otherwise PostgreSQL would not start if the file
 * is empty, or if another process now has the number.
 */
export async function invalidatePidFile(path: string, cluster: string): Promise<void> {
  if (readIfExists(path)?.trim() === '') {
    await delay(200) // a PostgreSQL that is starting may still write it
    if (readIfExists(path)?.trim() === '') fs.rmSync(path, { force: true })
  }
  const content = readIfExists(path) ?? ''
  const pid = Number.parseInt(content, 10)
  if (!(pid > 0) || !sendSignal(pid, 0) || isPostmaster(pid, cluster)) return
  // PostgreSQL refuses to start if a process of its user has this number. With a number that no process can have, it
  // checks only the shared memory, so a surviving backend still prevents the start.
  const file = fs.openSync(path, fs.constants.O_WRONLY | fs.constants.O_NOFOLLOW)
  fs.ftruncateSync(file)
  fs.writeSync(file, `2147483646${content.slice(String(pid).length)}`)
  fs.closeSync(file)
}

/**
 * Shuts down a PostgreSQL that is not tied to this process, and returns when it has ended.
 * @param patienceMs the time for an orderly shutdown; after it, PostgreSQL is ended at once
 */
export async function stopPostmaster(
  pid: number,
  cluster: string,
  log: EmbeddedLog,
  patienceMs = 30_000,
): Promise<void> {
  const started = Date.now()
  sendSignal(pid, 'SIGINT')
  while (isPostmaster(pid, cluster)) {
    if (Date.now() - started > patienceMs) {
      log.warn(
        { pid },
        'PostgreSQL does not shut down; ending it at once (it will recover at its next start)',
      )
      sendSignal(pid, 'SIGQUIT')
      await delay(10_000)
    }
    await delay(10)
  }
}

/** Returns whether process `pid` is the postmaster of this cluster. False for another program and for a zombie. */
function isPostmaster(pid: number, cluster: string): boolean {
  if (process.platform === 'darwin') {
    const { stdout } = spawnSync('/bin/ps', ['-ww', '-o', 'args=', '-p', String(pid)], { encoding: 'utf8' })
    return stdout.includes(`postgres -D ${cluster} `)
  }
  try {
    const program = basename(fs.readlinkSync(`/proc/${pid}/exe`)).replace(' (deleted)', '')
    return program === 'postgres' && fs.readlinkSync(`/proc/${pid}/cwd`) === cluster
  } catch {
    return false
  }
}

/** Sends a signal (0: none). Returns false if there is no such process. */
function sendSignal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    if (name === 0) return true
    throw error
  }
}

function readIfExists(path: string): string | undefined {
  try {
    return fs.readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function answersOnSocket(socketDir: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketIn(socketDir))
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })
}
