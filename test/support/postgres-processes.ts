import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Pauses the processes of a PostgreSQL server (SIGSTOP). The first process is paused first, so it starts no other. */
export function freeze(serverPid: number): void {
  signal(serverPid, 'SIGSTOP')
  for (const pid of childrenOf(serverPid)) signal(pid, 'SIGSTOP')
}

/** Lets a frozen server continue. */
export const thaw = (serverPid: number): void => signalAll(serverPid, 'SIGCONT')

/** Sends a signal to all processes of a PostgreSQL server. */
export function signalAll(serverPid: number, name: NodeJS.Signals): void {
  for (const pid of [serverPid, ...childrenOf(serverPid)]) signal(pid, name)
}

function childrenOf(pid: number): number[] {
  const listed = spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
  return listed.stdout.split('\n').map(Number).filter(Boolean)
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // The process has ended.
  }
}

/** The process id of the embedded PostgreSQL at this address. */
export function postmasterOf(url: string): number {
  const socketDir = new URL(url).searchParams.get('host')!
  const lock = readdirSync(socketDir).find((name) => name.endsWith('.lock'))!
  return Number.parseInt(readFileSync(join(socketDir, lock), 'utf8'), 10)
}
