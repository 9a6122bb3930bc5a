import { askOwner } from '../database.ts'

/** Makes every process with a running job count as dead, as after 10 s without a heartbeat. */
export async function missWorkers(databaseUrl: string): Promise<void> {
  await askOwner(
    databaseUrl,
    `update pgboss.job_common set heartbeat_on = now() - interval '1 minute' where state = 'active'`,
  )
}
