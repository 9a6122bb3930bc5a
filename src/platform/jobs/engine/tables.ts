import { createRequire } from 'node:module'
import { sql, unprepared } from '../../db/sql.ts'
import type { SystemScope } from '../../db/system.ts'

// The parts of pg-boss's tables that Crosswalk uses, and its additions to them. pg-boss does not promise to keep these
// parts, so every process checks at its start that the columns exist.

/** The release of pg-boss that is installed, which package.json pins. */
export const engineVersion: string = createRequire(import.meta.url)('pg-boss/package.json').version

/** The columns that send() of pg-boss reads and inserts. It runs in the transactions of requests. */
const queueRead = [
  ...['name', 'policy', 'dead_letter', 'retry_limit', 'retry_delay', 'retry_backoff', 'retry_delay_max'],
  ...['expire_seconds', 'deletion_seconds', 'retention_seconds', 'heartbeat_seconds'],
]
const jobInserted = [
  ...['id', 'name', 'data', 'priority', 'start_after', 'created_on', 'singleton_key', 'singleton_on'],
  ...['group_id', 'group_tier', 'expire_seconds', 'deletion_seconds', 'keep_until', 'retry_limit'],
  ...['retry_delay', 'retry_backoff', 'retry_delay_max', 'policy', 'dead_letter', 'heartbeat_seconds'],
  ...['blocked', 'blocking', 'pending_dependencies'],
]

/** The columns that the other statements of this folder use. */
const jobMoved = ['state', 'started_on', 'heartbeat_on', 'completed_on', 'retry_count', 'output']

const columns = [
  ...queueRead.map((name) => `queue.${name}`),
  ...[...jobInserted, ...jobMoved].map((name) => `job_common.${name}`),
]

/** @throws Error that names the missing columns of pg-boss */
export async function requireColumns(scope: SystemScope): Promise<void> {
  const missing = await scope.readRows(
    unprepared(sql<{ name: string }>`
      select wanted.name from unnest(${columns}::text[]) as wanted (name)
      where not exists (
        select from pg_attribute
        where attrelid = to_regclass('pgboss.' || split_part(wanted.name, '.', 1))
          and attname = split_part(wanted.name, '.', 2) and attnum > 0 and not attisdropped
      )`),
  )
  if (missing.length === 0) return
  const names = missing.map(({ name }) => name).join(', ')
  throw new Error(
    `The tables of pg-boss ${engineVersion} lack ${names}. Install the release that package.json pins, and start again.`,
  )
}

// Create only missing indexes: CREATE INDEX IF NOT EXISTS would wait for every running transaction at each start of a
// process.
export const indexes = Object.entries({
  crosswalk_waiting: `create index crosswalk_waiting on pgboss.job_common (name, group_id, start_after)
    where state < 'active'`,
  crosswalk_due: `create index crosswalk_due on pgboss.job_common (start_after) where state < 'active'`,
  crosswalk_running: `create index crosswalk_running on pgboss.job_common (name, started_on) where state = 'active'`,
  crosswalk_failed: `create index crosswalk_failed on pgboss.job_common (name, completed_on) where state = 'failed'`,
  crosswalk_serial: `create unique index crosswalk_serial on pgboss.job_common (singleton_key) where state = 'active'`,
})
  .map(([name, made]) => `do $$ begin if to_regclass('pgboss.${name}') is null then ${made}; end if; end $$`)
  .join('; ')

/** Requests get only the rights that send() needs. */
export const rights = `
  grant usage on schema pgboss to crosswalk_app, crosswalk_system;
  revoke all on all tables in schema pgboss from crosswalk_app;
  revoke all on all sequences in schema pgboss from crosswalk_app;
  revoke all on all functions in schema pgboss from public, crosswalk_app;
  grant execute on function pgboss.job_now() to crosswalk_app;
  grant select (${queueRead.join(', ')}) on pgboss.queue to crosswalk_app;
  grant select (id), insert (${jobInserted.join(', ')}) on pgboss.job_common to crosswalk_app;
  grant select, insert, update, delete on all tables in schema pgboss to crosswalk_system;
  grant usage on all sequences in schema pgboss to crosswalk_system;
  grant execute on all functions in schema pgboss to crosswalk_system`

/** An org can see and add only jobs of its own lane. */
export const policies = `
  do $$ begin
    if not (select relrowsecurity from pg_class where oid = 'pgboss.job_common'::regclass) then
      alter table pgboss.job_common enable row level security;
      create policy org on pgboss.job_common to crosswalk_app
        using (group_id = nullif(current_setting('app.org_id', true), ''))
        with check (group_id = nullif(current_setting('app.org_id', true), ''));
      create policy system on pgboss.job_common to crosswalk_system using (true) with check (true);
    end if;
  end $$`
