import { hash } from 'node:crypto'
import type { Client, ClientConfig } from 'pg'
import type { PgBoss, Queue } from 'pg-boss'
import { type AnyJob, abandonedQueue, queuesOf } from '../job.ts'
import { defaultRetry } from '../retry.ts'
import { heartbeatSeconds } from './claims.ts'
import { engineVersion, indexes, policies, rights } from './tables.ts'

const daySeconds = 86_400

/**
 * Creates the engine's schema and one queue for each job, as the owner. The schema's comment contains a fingerprint
 * of the jobs, so a process with the same jobs installs nothing.
 */
export async function installJobs(
  owner: Client,
  connection: ClientConfig,
  jobs: readonly AnyJob[],
): Promise<void> {
  const wanted = fingerprintOf(jobs)
  if ((await installedJobs(owner)) === wanted) return
  const { PgBoss } = await import('pg-boss')
  const boss = new PgBoss({
    ...(connection as object),
    schema: 'pgboss',
    max: 2,
    supervise: false,
    schedule: false,
  })
  boss.on('error', () => {})
  await boss.start()
  try {
    const abandons = new Set(jobs.filter(({ abandoned }) => abandoned).map(({ name }) => name))
    // Create the queue for `abandoned` first: the job's own queue refers to it.
    for (const { name, retry } of queuesOf(jobs).reverse()) {
      const { limit, delaySeconds, delayMaxSeconds } = { ...defaultRetry, ...retry }
      await install(boss, name, {
        retryLimit: limit,
        retryDelay: delaySeconds,
        ...(delaySeconds > 0
          ? { retryBackoff: true, retryDelayMax: delayMaxSeconds }
          : { retryBackoff: false }),
        // A worker that sends no heartbeat for this time counts as dead.
        heartbeatSeconds,
        expireInSeconds: daySeconds - 1,
        // How long a queued job waits for a worker, and a failed job for an operator.
        retentionSeconds: 365 * daySeconds,
        deleteAfterSeconds: 30 * daySeconds,
        ...(abandons.has(name) ? { deadLetter: abandonedQueue(name) } : {}),
      })
    }
  } finally {
    await boss.stop({ graceful: false })
  }
  // One implicit transaction: a request could find tables that it may not use yet otherwise.
  await owner.query(`${indexes}; ${rights}; ${policies}; comment on schema pgboss is '${wanted}'`)
}

/**
 * The fingerprint of the installed jobs. null: nothing is installed, or the rights are missing, as after restoring a
 * dump.
 */
export async function installedJobs(owner: Pick<Client, 'query'>): Promise<string | null> {
  const { rows } = await owner.query<{ installed: string | null }>(
    `select obj_description(oid, 'pg_namespace') as installed from pg_namespace
     where nspname = 'pgboss' and has_schema_privilege('crosswalk_app', oid, 'usage')`,
  )
  return rows[0]?.installed ?? null
}

function fingerprintOf(jobs: readonly AnyJob[]): string {
  const queues = queuesOf(jobs).map(({ name, retry }) => ({ name, retry }))
  return hash(
    'sha256',
    JSON.stringify([engineVersion, heartbeatSeconds, defaultRetry, queues, indexes, rights, policies]),
  )
}

async function install(boss: PgBoss, name: string, queue: Omit<Queue, 'name'>): Promise<void> {
  if (await boss.getQueue(name)) await boss.updateQueue(name, queue)
  else await boss.createQueue(name, queue)
}
