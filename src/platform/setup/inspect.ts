import type { Client } from 'pg'
import { connectClient, connectionConfig } from '../db/address.ts'
import { missingMigrations, type RecordedMigration } from './migration-files.ts'
import { oneRow } from './one-row.ts'
import { findPooler, type Pooler } from './pooler.ts'
import { mayMakeTemporary } from './temporary-tables.ts'

/** The facts about a database for its operator. Reading it changes nothing. */
export type DatabaseFacts = {
  /** The version of PostgreSQL: `18.4`. */
  version: string
  /** Names of the migrations that the database still needs. */
  pending: string[]
  isolates: boolean
  pooler: Pooler
  /** Whether the role that serves requests may create temporary tables. The role does not need that. */
  makesTemporary: boolean
  /** `synchronous`: PostgreSQL confirms a commit only after a standby has it. */
  replication: 'none' | 'asynchronous' | 'synchronous'
}

/** @throws OperatorError if the recorded migrations differ from those of this version */
export async function inspectDatabase(url: string): Promise<DatabaseFacts> {
  const client = await connect(url)
  try {
    const pooler = await findPooler(client, () => connect(url))
    const { version, migrated, isolates, temporary, replication } = await oneRow<InspectionRow>(
      client,
      inspectionQuery,
    )
    const recorded = migrated
      ? (await client.query<RecordedMigration>('select name, sha256 from schema_migration')).rows
      : []
    const pending = missingMigrations(recorded).map(({ name }) => name)
    return { version, pending, isolates, makesTemporary: temporary, pooler, replication }
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

type InspectionRow = Pick<DatabaseFacts, 'version' | 'isolates' | 'replication'> & {
  migrated: boolean
  temporary: boolean
}

// Every table with rows of orgs must enforce row-level security, and the role of the app must not
// bypass it.
const inspectionQuery = `
  select current_setting('server_version') as version,
    to_regclass('schema_migration') is not null as migrated,
    ${mayMakeTemporary} as temporary,
    case
      when not exists (select from pg_stat_replication) then 'none'
      when current_setting('synchronous_standby_names') = '' or current_setting('synchronous_commit') in ('off', 'local')
        then 'asynchronous'
      else 'synchronous'
    end as replication,
    exists (
      select from pg_roles app
      where app.rolname = 'crosswalk_app' and not app.rolsuper and not app.rolbypassrls
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
