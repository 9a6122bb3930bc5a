import { setTimeout as delay } from 'node:timers/promises'
import { withClientOf } from '../direct-sql.ts'

/** @throws Error that names the jobs left after `drainMs` */
export function untilNoJobs(databaseUrl: string, drainMs = 30_000): Promise<void> {
  const deadline = Date.now() + drainMs
  // Use one connection, and a pause between queries, so as not to slow the workers.
  return withClientOf(databaseUrl, async (client) => {
    for (let pause = 5; ; pause = Math.min(50, pause * 1.5)) {
      const { rows: left } = await client.query<{ name: string; state: string }>(
        `select name, state::text from pgboss.job where state in ('created', 'retry', 'active')`,
      )
      if (left.length === 0) return
      if (Date.now() > deadline) {
        const what = left.map(({ name, state }) => `${name} (${state})`).join(', ')
        throw new Error(`A test left jobs behind: ${what}. Wait for them, or close({ leavesJobs: true }).`)
      }
      await delay(pause)
    }
  })
}
