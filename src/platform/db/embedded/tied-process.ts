import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import { createInterface } from 'node:readline'
import type { User } from './user.ts'

export type TiedProcess = {
  pid: number
  /** Resolves when PostgreSQL has ended: to its exit code, or to 128 + the number of its signal. */
  exited: Promise<number>
  hasExited(): boolean
  /**
   * `fast` ends the sessions of PostgreSQL; `smart` waits for them. The shell sends the signal: only the shell knows
   * that the process number is still PostgreSQL's.
   */
  shutDown(mode: 'fast' | 'smart'): void
}

/**
 * The shell starts PostgreSQL, and reads a pipe that only Node has open. When Node ends or is killed, the pipe closes
 * and the shell shuts PostgreSQL down. Both run in a separate session, which Ctrl-C in the terminal does not reach.
 * PostgreSQL has a lower priority than Node: each request needs Node's thread several times, and on two cores it would wait
 * 10 ms each time for a few long statements.
 */
const script = `
trap '' TERM INT HUP
exec 3<&0 </dev/null
nice=$(command -v nice) && set -- "$nice" -n 5 "$@"
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

/** Starts `command`, which is shut down when this process ends. Its output goes to the file descriptor `output`. */
export async function startTiedProcess(
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
  stdin.on('error', () => {}) // the shell ended first
  let gone = false
  const exited = once(child, 'exit').then(([code, signal]) => {
    gone = true
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
