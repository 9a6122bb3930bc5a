import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Microseconds per answer: of the answering process, and of its connections to PostgreSQL. */
export type Cpu = { node: number; postgres: number }

/** The nanoseconds that all threads of a process have used so far; 0 for a process that has ended. */
function nanoseconds(pid: number | string): number {
  try {
    return readdirSync(`/proc/${pid}/task`)
      .map((thread) => Number.parseInt(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'), 10))
      .reduce((sum, each) => sum + each, 0)
  } catch {
    return 0
  }
}

/** The process id of the PostgreSQL whose database is in a folder. */
const postmasterOf = (folder: string): number =>
  Number.parseInt(readFileSync(join(folder, 'cluster/postmaster.pid'), 'utf8'), 10)

/** The backends of the PostgreSQL in a folder that serve the app's role or a role outside Crosswalk. */
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

/** Begins to measure. The returned function ends the measurement. */
export function cpuOf(
  pid: number,
  folder: string,
  role: 'crosswalk_app' | 'owner',
): (answers: number) => Cpu {
  const backends = () => new Map(backendsOf(folder, role).map((each) => [each, nanoseconds(each)]))
  const [processBefore, before] = [nanoseconds(pid), backends()]
  return (answers) => {
    let postgres = 0
    // A backend that has ended meanwhile was idle, so its time does not count.
    for (const [each, after] of backends()) postgres += after - (before.get(each) ?? 0)
    return { node: (nanoseconds(pid) - processBefore) / answers / 1000, postgres: postgres / answers / 1000 }
  }
}

export function residentMiB(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}

const ticksPerSecond = 100
/** The fields of /proc/<pid>/stat after the name of the program, which may contain spaces. */
const statOf = (pid: number | string) =>
  readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ').slice(1).map(Number)

/**
 * The CPU time that a process has used, in seconds. The time includes the threads and the ended children of
 * the process.
 */
export function cpuSeconds(pid: number | string): number {
  const [user, system, children, childrenSystem] = statOf(pid).slice(10, 14)
  return (user! + system! + children! + childrenSystem!) / ticksPerSecond
}

/** The CPU time of the PostgreSQL whose database is in a folder, with all of its processes. */
export function postgresSeconds(folder: string): number {
  const postmaster = postmasterOf(folder)
  const isPart = (pid: string) => {
    try {
      return Number(pid) === postmaster || statOf(pid)[0] === postmaster
    } catch {
      // The process has ended, so its CPU time is now part of the postmaster's time.
      return false
    }
  }
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isPart(name))
  return pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0)
}
