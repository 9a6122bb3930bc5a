import { askOwner } from './database.ts'

/** Has the engine miss the signs of life of whoever has a job now, as it would 10 seconds after they died. */
export async function missWorkers(databaseUrl: string): Promise<void> {
  await askOwner(
    databaseUrl,
    `update pgboss.job_common set heartbeat_on = now() - interval '1 minute' where state = 'active'`,
  )
}
