import { setTimeout as delay } from 'node:timers/promises'
import { runAsOwner } from '../database.ts'

/** @throws Error that names the jobs left after `drainMs` */
export async function untilNoJobs(databaseUrl: string, drainMs = 30_000): Promise<void> {
  const deadline = Date.now() + drainMs
  // Pause between queries, so as not to slow the workers.
  for (let pause = 5; ; pause = Math.min(50, pause * 1.5)) {
    const left = await runAsOwner<{ name: string; state: string }>(
      databaseUrl,
      `select name, state::text from pgboss.job where state in ('created', 'retry', 'active')`,
    )
    if (left.length === 0) return
    if (Date.now() > deadline) {
      const what = left.map(({ name, state }) => `${name} (${state})`).join(', ')
      throw new Error(`A test left jobs behind: ${what}. Wait for them, or close({ leavesJobs: true }).`)
    }
    await delay(pause)
  }
}
