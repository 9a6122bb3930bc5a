import { hash } from 'node:crypto'
import { createRequire } from 'node:module'
import type { Client, ClientConfig } from 'pg'
import type { PgBoss, Queue } from 'pg-boss'
import { heartbeatSeconds } from './claims.ts'
import { type AnyJob, abandonedQueue, defaultRetry, queuesOf } from './job.ts'

const day = 86_400

/**
 * Makes the engine's schema and one queue for each job; run with the migrations, as the owner. What was installed last is
 * noted with the schema, so that a process that would install the same need not.
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
    // What is given up goes to a queue that has to be there first.
    for (const { name, retry } of queuesOf(jobs).reverse()) {
      const { limit, delaySeconds, delayMaxSeconds } = { ...defaultRetry, ...retry }
      await install(boss, name, {
        retryLimit: limit,
        retryDelay: delaySeconds,
        ...(delaySeconds > 0
          ? { retryBackoff: true, retryDelayMax: delayMaxSeconds }
          : { retryBackoff: false }),
        // A worker that died is noticed after this.
        heartbeatSeconds,
        expireInSeconds: day - 1,
        // Until then it waits for a worker; and what failed, for an operator.
        retentionSeconds: 365 * day,
        deleteAfterSeconds: 30 * day,
        ...(abandons.has(name) ? { deadLetter: abandonedQueue(name) } : {}),
      })
    }
  } finally {
    await boss.stop({ graceful: false })
  }
  // One implicit transaction: nobody meets a moment without rights.
  await owner.query(`${indexes}; ${rights}; ${policies}; comment on schema pgboss is '${wanted}'`)
}

/** What was installed last; null if nothing was, or if the rights to it were lost since, as a restored dump may. */
export async function installedJobs(owner: Pick<Client, 'query'>): Promise<string | null> {
  const { rows } = await owner.query<{ installed: string | null }>(
    `select obj_description(oid, 'pg_namespace') as installed from pg_namespace
     where nspname = 'pgboss' and has_schema_privilege('crosswalk_app', oid, 'usage')`,
  )
  return rows[0]?.installed ?? null
}

const engineVersion: string = createRequire(import.meta.url)('pg-boss/package.json').version

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

// CREATE INDEX IF NOT EXISTS would wait for every running transaction, each time a process starts.
const indexes = Object.entries({
  crosswalk_waiting: `create index crosswalk_waiting on pgboss.job_common (name, group_id, start_after)
    where state < 'active'`,
  crosswalk_running: `create index crosswalk_running on pgboss.job_common (name, started_on) where state = 'active'`,
  crosswalk_failed: `create index crosswalk_failed on pgboss.job_common (name, completed_on) where state = 'failed'`,
  crosswalk_serial: `create unique index crosswalk_serial on pgboss.job_common (singleton_key) where state = 'active'`,
})
  .map(([name, made]) => `do $$ begin if to_regclass('pgboss.${name}') is null then ${made}; end if; end $$`)
  .join('; ')

// What send() of pg-boss needs, which runs in the transactions of requests, and nothing else.
const rights = `
  grant usage on schema pgboss to crosswalk_app, crosswalk_system;
  revoke all on all tables in schema pgboss from crosswalk_app;
  revoke all on all sequences in schema pgboss from crosswalk_app;
  revoke all on all functions in schema pgboss from public, crosswalk_app;
  grant execute on function pgboss.job_now() to crosswalk_app;
  grant select (name, policy, dead_letter, retry_limit, retry_delay, retry_backoff, retry_delay_max, expire_seconds,
    deletion_seconds, retention_seconds, heartbeat_seconds) on pgboss.queue to crosswalk_app;
  grant select (id), insert (id, name, data, priority, start_after, created_on, singleton_key, singleton_on, group_id,
    group_tier, expire_seconds, deletion_seconds, keep_until, retry_limit, retry_delay, retry_backoff, retry_delay_max,
    policy, dead_letter, heartbeat_seconds, blocked, blocking, pending_dependencies)
    on pgboss.job_common to crosswalk_app;
  grant select, insert, update, delete on all tables in schema pgboss to crosswalk_system;
  grant usage on all sequences in schema pgboss to crosswalk_system;
  grant execute on all functions in schema pgboss to crosswalk_system`

const policies = `
  do $$ begin
    if not (select relrowsecurity from pg_class where oid = 'pgboss.job_common'::regclass) then
      alter table pgboss.job_common enable row level security;
      create policy org on pgboss.job_common to crosswalk_app
        using (group_id = nullif(current_setting('app.org_id', true), ''))
        with check (group_id = nullif(current_setting('app.org_id', true), ''));
      create policy system on pgboss.job_common to crosswalk_system using (true) with check (true);
    end if;
  end $$`
