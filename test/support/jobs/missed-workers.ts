import { askOwner } from '../database.ts'

/**
 * Makes the job engine treat every process with a running job as dead, as the engine does 10 s after the last
 * heartbeat.
 */
export async function missWorkers(databaseUrl: string): Promise<void> {
  await askOwner(
    databaseUrl,
    `update pgboss.job_common set heartbeat_on = now() - interval '1 minute' where state = 'active'`,
  )
}
