import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** In microseconds per answer: the answering process, and its connections to PostgreSQL. */
export type Cpu = { node: number; postgres: number }

/** The CPU time of all threads of a process in nanoseconds; 0 if it has ended. */
function nanoseconds(pid: number | string): number {
  try {
    return readdirSync(`/proc/${pid}/task`)
      .map((thread) => Number.parseInt(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'), 10))
      .reduce((sum, each) => sum + each, 0)
  } catch {
    return 0
  }
}

/** The CPU time of a running process in seconds, exact to a microsecond, without its children. */
export const processSeconds = (pid: number): number => nanoseconds(pid) / 1e9

/** The process id of the PostgreSQL whose database is in a folder. */
const postmasterOf = (folder: string): number =>
  Number.parseInt(readFileSync(join(folder, 'cluster/postmaster.pid'), 'utf8'), 10)

/** The backends of the PostgreSQL in a folder: those of the app's role, or of a role outside Crosswalk. */
function backendsOf(folder: string, role: 'crosswalk_app' | 'owner'): string[] {
  const postmaster = postmasterOf(folder)
  const isMeant = (pid: string) => {
    try {
      // postgres: <cluster>: <role> <database> <from> <state>
      const [, , user, , from] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split(/[ \0]+/)
      if (from !== '[local]') return false
      return role === 'owner' ? !user!.startsWith('crosswalk_') : user === role
    } catch {
      return false
    }
  }
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8')
  return children.trim().split(' ').filter(isMeant)
}

/** Begins a measurement. The returned function ends it. */
export function measureCpu(
  pid: number,
  folder: string,
  role: 'crosswalk_app' | 'owner',
): (answers: number) => Cpu {
  const backends = () => new Map(backendsOf(folder, role).map((each) => [each, nanoseconds(each)]))
  const [processBefore, before] = [nanoseconds(pid), backends()]
  return (answers) => {
    let postgres = 0
    // A backend that has ended was idle, so it does not count.
    for (const [each, after] of backends()) postgres += after - (before.get(each) ?? 0)
    return { node: (nanoseconds(pid) - processBefore) / answers / 1000, postgres: postgres / answers / 1000 }
  }
}

export function residentMiB(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}

const ticksPerSecond = 100
/** The fields of /proc/<pid>/stat after the program's name, which may contain spaces. */
const statOf = (pid: number | string) =>
  readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ').slice(1).map(Number)

/** The CPU time of a process in seconds, in steps of 10 ms, with its threads and ended children. */
export function cpuSeconds(pid: number | string): number {
  const [user, system, children, childrenSystem] = statOf(pid).slice(10, 14)
  return (user! + system! + children! + childrenSystem!) / ticksPerSecond
}

/** The CPU time of the PostgreSQL in a folder, with all its processes. */
export function postgresSeconds(folder: string): number {
  const postmaster = postmasterOf(folder)
  const secondsOf = (pid: string) => {
    try {
      return Number(pid) === postmaster || statOf(pid)[0] === postmaster ? cpuSeconds(pid) : 0
    } catch {
      // The process has ended. The postmaster's time includes it.
      return 0
    }
  }
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.reduce((sum, pid) => sum + secondsOf(pid), 0)
}
