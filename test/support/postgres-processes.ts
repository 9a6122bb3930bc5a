import { spawnSync } from 'node:child_process'

/** Pauses the processes of a PostgreSQL server (SIGSTOP). The first process is paused first, so it starts no other. */
export function freeze(serverPid: number): void {
  signal(serverPid, 'SIGSTOP')
  for (const pid of childrenOf(serverPid)) signal(pid, 'SIGSTOP')
}

/** Lets a frozen server go on. */
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
