import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A process that answers requests, and takes messages. */
export type Process = { address: string; pid: number; tell(message: object): Promise<void> }

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

/** The backends of the PostgreSQL in a folder that serve the app's role, or a role that is not one of ours. */
function backendsOf(folder: string, role: 'crosswalk_app' | 'owner'): string[] {
  const postmaster = readFileSync(join(folder, 'cluster/postmaster.pid'), 'utf8').split('\n', 1)[0]!
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
