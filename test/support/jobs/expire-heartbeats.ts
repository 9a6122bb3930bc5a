import { runAsOwner } from '../database.ts'

/** Makes every process with a running job count as dead, as after 10 s without a heartbeat. */
export async function expireHeartbeats(databaseUrl: string): Promise<void> {
  await runAsOwner(
    databaseUrl,
    `update pgboss.job_common set heartbeat_on = now() - interval '1 minute' where state = 'active'`,
  )
}
