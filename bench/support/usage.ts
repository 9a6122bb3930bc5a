import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** CPU time for each answer in microseconds: of the process that gives it, and of its connections to PostgreSQL. */
export type Cpu = { node: number; postgres: number }

/** Nanoseconds on a core so far, of all threads; 0 for a process that has ended. */
function nanoseconds(pid: number | string): number {
  try {
    return readdirSync(`/proc/${pid}/task`)
      .map((thread) => Number.parseInt(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'), 10))
      .reduce((sum, each) => sum + each, 0)
  } catch {
    return 0
  }
}

/** The process id of the PostgreSQL whose database lies in a folder. */
const postmasterOf = (folder: string): number =>
  Number.parseInt(readFileSync(join(folder, 'cluster/postmaster.pid'), 'utf8'), 10)

/** The backends of the PostgreSQL in a folder that serve the app's role, or a role that is not one of ours. */
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

/** Begins to measure; ends when what it returns is called. */
export function cpuOf(
  pid: number,
  folder: string,
  role: 'crosswalk_app' | 'owner',
): (answers: number) => Cpu {
  const backends = () => new Map(backendsOf(folder, role).map((each) => [each, nanoseconds(each)]))
  const [processBefore, before] = [nanoseconds(pid), backends()]
  return (answers) => {
    let postgres = 0
    // One that has ended meanwhile was idle.
    for (const [each, after] of backends()) postgres += after - (before.get(each) ?? 0)
    return { node: (nanoseconds(pid) - processBefore) / answers / 1000, postgres: postgres / answers / 1000 }
  }
}

/** Resident memory of a process in MiB. */
export function residentMiB(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}

const ticksPerSecond = 100
/** Fields of /proc/<pid>/stat from the parent's pid on: what comes before may hold spaces. */
const statOf = (pid: number | string) =>
  readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ').slice(1).map(Number)

/** CPU time that a process has used, in seconds, its threads' and its ended children's included. */
export function cpuSeconds(pid: number | string): number {
  const [user, system, children, childrenSystem] = statOf(pid).slice(10, 14)
  return (user! + system! + children! + childrenSystem!) / ticksPerSecond
}

/** The same for the PostgreSQL whose database lies in a folder, with all of its processes. */
export function postgresSeconds(folder: string): number {
  const postmaster = postmasterOf(folder)
  const isPart = (pid: string) => {
    try {
      return Number(pid) === postmaster || statOf(pid)[0] === postmaster
    } catch {
      // It ended meanwhile: its time is the postmaster's now.
      return false
    }
  }
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isPart(name))
  return pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0)
}
