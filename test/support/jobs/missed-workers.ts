import { askOwner } from '../database.ts'

/** Every process with a running job counts as dead, as after 10 s without a heartbeat. */
export async function missWorkers(databaseUrl: string): Promise<void> {
  await askOwner(
    databaseUrl,
    `update pgboss.job_common set heartbeat_on = now() - interval '1 minute' where state = 'active'`,
  )
}
