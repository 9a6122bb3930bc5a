import type { Client } from 'pg'
import { connectClient, connectionConfig, type PooledAddress } from '../db/address.ts'
import { timeOf } from '../db/uuid-time.ts'
import { namingSetting } from '../report.ts'
import { compareClocks } from './compare-clocks.ts'
import { missingMigrations, recordedMigrations } from './migration-files.ts'
import { oneRow } from './one-row.ts'
import { examinePooler, type Pooler } from './pooler.ts'
import { findServerFault } from './server-check.ts'
import { mayMakeTemporary } from './temporary-tables.ts'

/** The facts about a database for its operator. Reading it changes nothing. */
export type DatabaseFacts = {
  /** The version of PostgreSQL: `18.4`. */
  version: string
  /** Names of the migrations that the database still needs. */
  pending: string[]
  isolates: boolean
  pooler: Pooler
  /** What is wrong with the settings for the pooler; null: nothing. */
  poolerFault: string | null
  /** Why the server would not start with this database and its role; null: nothing. */
  serverFault: string | null
  /** When the last partition of the event log ends, in Unix milliseconds; null: the schema has no such partitions yet. */
  eventsUntil: number | null
  /** Whether the role that serves requests may create temporary tables. The role does not need that. */
  makesTemporary: boolean
  /** `synchronous`: PostgreSQL confirms a commit only after a standby has it. */
  replication: 'none' | 'asynchronous' | 'synchronous'
  /** `failing`: the last try to archive WAL failed. `streaming`: a program such as pg_receivewal stores the WAL. */
  archiving: 'off' | 'on' | 'failing' | 'streaming'
  /** How many seconds the clock of this machine is ahead of PostgreSQL's, at least; below 0: behind. */
  secondsAhead: number
}

/**
 * @param pooled the pooler through which requests reach the database, if it is not at `url`
 * @throws OperatorError if the recorded migrations differ from the migrations of this version
 */
export async function inspectDatabase(
  url: string,
  pooled: PooledAddress | null = null,
): Promise<DatabaseFacts> {
  const setting = pooled ? 'DIRECT_DATABASE_URL' : 'DATABASE_URL'
  const open = () => namingSetting(setting, connect(url))
  const client = await open()
  try {
    const { pooler, fault: poolerFault } = await examinePooler(client, open, pooled)
    const serverFault = await findServerFault(client, setting)
    const { temporary, months, ...facts } = await oneRow<InspectionRow>(client, inspectionQuery)
    const pending = missingMigrations(await recordedMigrations(client)).map(({ name }) => name)
    const eventsUntil = months
      ? timeOf((await oneRow<{ until: string }>(client, lastMonthQuery)).until)
      : null
    const secondsAhead = await compareClocks(client)
    const inspected = { ...facts, pending, makesTemporary: temporary, secondsAhead }
    return { ...inspected, pooler, poolerFault, serverFault, eventsUntil }
  } finally {
    await client.end().catch(() => {})
  }
}

function connect(url: string): Promise<Client> {
  return connectClient({
    ...connectionConfig(url),
    connectionTimeoutMillis: 10_000,
    application_name: 'crosswalk doctor',
  })
}

type InspectionRow = Pick<DatabaseFacts, 'version' | 'isolates' | 'replication' | 'archiving'> & {
  temporary: boolean
  months: boolean
}

const lastMonthQuery = 'select max(until_id::text) as until from app.event_months()'

// Every table with rows of orgs must enforce row-level security, and the roles of requests must not bypass it.
const inspectionQuery = `
  select current_setting('server_version') as version,
    ${mayMakeTemporary} as temporary,
    to_regprocedure('app.event_months()') is not null as months,
    case
      when not exists (select from pg_stat_replication) then 'none'
      when current_setting('synchronous_standby_names') = '' or current_setting('synchronous_commit') in ('off', 'local')
        then 'asynchronous'
      else 'synchronous'
    end as replication,
    case
      when current_setting('archive_mode') <> 'off' then (
        select case when last_failed_time > coalesce(last_archived_time, '-infinity') then 'failing' else 'on' end
        from pg_stat_archiver)
      when exists (select from pg_stat_replication where application_name ~ 'receive-?_?wal') then 'streaming'
      else 'off'
    end as archiving,
    2 = (
      select count(*) from pg_roles app
      where app.rolname in ('crosswalk_app', 'crosswalk_limited') and not app.rolsuper and not app.rolbypassrls
        and not exists (select from pg_class where relowner = app.oid)
        and not exists (
          select from pg_roles wider
          where wider.rolname in (current_user, 'crosswalk_system') and pg_has_role(app.oid, wider.oid, 'member')
        )
    )
    and not exists (
      select from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
        and a.attname in ('org_id', 'agency_org_id') and not a.attisdropped and not (c.relrowsecurity and c.relforcerowsecurity)
    ) as isolates`
