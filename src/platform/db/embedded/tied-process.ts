import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import { createInterface } from 'node:readline'
import type { User } from './user.ts'

/** A PostgreSQL that ends when this process does, however that happens. */
export type TiedProcess = {
  pid: number
  /** Resolves when it is gone: to its exit code, or to 128 + the number of the signal that ended it. */
  exited: Promise<number>
  hasExited(): boolean
  /** `fast` ends its sessions, `smart` waits for them. The shell does it, which knows that the number is still right. */
  shutDown(mode: 'fast' | 'smart'): void
}

/**
 * The parent of PostgreSQL. It reads from a pipe that only Node holds: when that ends, because Node is done or was
 * killed, PostgreSQL is shut down. A session of its own keeps the terminal's Ctrl-C away from both, and a signal
 * that a service manager sends to all processes does not end the shell before PostgreSQL.
 */
const script = `
trap '' TERM INT HUP
exec 3<&0 </dev/null
"$@" 3<&- >&2 & postgres=$!
{
  while read -r word; do
    case $word in
      smart) kill -TERM $postgres ;;
      gone) exit ;;
    esac
  done
  kill -INT $postgres
} <&3 >/dev/null 2>&1 &
echo $postgres
exec >&2
wait $postgres`

/** Starts `command` tied to this process, its output going to the file descriptor `output`. */
export async function startTied(
  command: string[],
  user: User | undefined,
  output: number,
): Promise<TiedProcess> {
  const child = spawn('/bin/sh', ['-c', script, 'crosswalk-postgres', ...command], {
    ...user,
    cwd: '/',
    env: {},
    detached: true,
    stdio: ['pipe', 'pipe', output],
  })
  const [stdin, stdout] = [child.stdin!, child.stdout!]
  stdin.on('error', () => {}) // the reader went first
  let gone = false
  const exited = once(child, 'exit').then(([code, signal]) => {
    gone = true
    // If the shell alone was killed, its reader still takes PostgreSQL down; or else its number is free for others.
    if (!signal && !stdin.writableEnded) stdin.write('gone\n')
    stdin.end()
    return signal ? 128 + constants.signals[signal as NodeJS.Signals] : (code as number)
  })
  const [pid] = await Promise.race([once(createInterface(stdout), 'line'), exited.then(() => [])])
  return {
    pid: Number(pid),
    exited,
    hasExited: () => gone,
    shutDown: (mode) => (mode === 'fast' ? stdin.end() : stdin.write('smart\n')),
  }
}
