import { askOwner } from './database.ts'

/** Returns once no job waits or runs. @throws Error that names those that are left after `drainMs` */
export async function untilNoJobs(databaseUrl: string, drainMs = 5_000): Promise<void> {
  const deadline = Date.now() + drainMs
  for (;;) {
    const left = await askOwner<{ name: string; state: string }>(
      databaseUrl,
      `select name, state::text from pgboss.job where state in ('created', 'retry', 'active')`,
    )
    if (left.length === 0) return
    if (Date.now() > deadline) {
      const what = left.map(({ name, state }) => `${name} (${state})`).join(', ')
      throw new Error(`A test left jobs behind: ${what}. Wait for them, or close({ leavesJobs: true }).`)
    }
  }
}
