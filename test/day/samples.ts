import { residentMiB } from '../../bench/support/usage.ts'
import type { Installation } from './installation.ts'

export type Sample = { at: number; name: string; pid: number; mib: number }
export type Connections = { at: number; total: number; idleInTransaction: number }

/** Samples the memory and connections of processes every two seconds. */
export class Samples {
  readonly memory: Sample[] = []
  readonly connections: Connections[] = []
  readonly #timer: NodeJS.Timeout
  readonly #day: Installation

  constructor(day: Installation) {
    this.#day = day
    this.#timer = setInterval(() => void this.take(), 2_000)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  async take(): Promise<void> {
    const at = Date.now()
    for (const { name, child } of this.#day.running) {
      const pid = child.process.pid!
      try {
        const mib = residentMiB(pid)
        if (mib > 0) this.memory.push({ at, name, pid, mib })
      } catch {}
    }
    const text = `
      select count(*)::int as total, count(*) filter (where state like 'idle in transaction%'
        and state_change < now() - interval '10 seconds')::int as idle
      from pg_stat_activity where datname = 'crosswalk' and pid <> pg_backend_pid()`
    const [row] = await this.#day.rows<{ total: number; idle: number }>(text).catch(() => [])
    if (row) this.connections.push({ at, total: row.total, idleInTransaction: row.idle })
  }
}
