import type { Client } from 'pg'
import { connectClient, connectionConfig, type PooledAddress } from '../db/address.ts'
import { lockForSession } from '../db/advisory-lock.ts'
import type { RoleMode } from '../db/roles.ts'
import type { Log } from '../log.ts'
import { namingSetting } from '../report.ts'
import {
  type EncryptionKeyChange,
  type ResealCounts,
  requireOpenable,
  resealSecrets,
} from '../secrets/reseal.ts'
import { countForeign } from '../secrets/rotate.ts'
import { applyMigration } from './apply-migration.ts'
import { checkOldKey, findActiveKey, makeInstallation, storeKeyCheck } from './key-check.ts'
import { defaultLockWaits, type LockWaits, withLockRetries } from './lock-retries.ts'
import {
  type MigrationFile,
  migrationFiles,
  migrationsFolder,
  missingMigrations,
  recordedMigrations,
} from './migration-files.ts'
import { readOrgTokenKey, resealOrgTokenKey } from './org-token-key.ts'
import { requireFittingPooler } from './pooler.ts'
import { prepareRoles } from './prepare-roles.ts'
import { checkServer } from './server-check.ts'
import { refuseTemporaryTables } from './temporary-tables.ts'

// All Crosswalk processes use this lock: only one at a time prepares a database.
const migrationLock = 'crosswalk migrate'

/** `secrets` is the result of a change of the encryption key; null without a change. */
export type Migrated = {
  applied: string[]
  roles: RoleMode
  /** The encryption key whose passwords the roles have. */
  roleKey: Buffer
  /** The encryption key with which this database seals: `rootKey` or `oldKey`. */
  activeKey: Buffer
  secrets: ResealCounts | null
  orgTokenKey: Buffer
  /** How many secrets are sealed with a key that is neither `rootKey` nor `oldKey`. */
  foreignSecrets: number
}

export type MigrateOptions = {
  /** Creates the schemas of other engines, after the migrations. `applied` lists the new migrations. */
  afterwards?: (owner: Client, applied: readonly string[]) => Promise<void>
  /** Set to change the key of this database to `rootKey`. */
  newKey?: EncryptionKeyChange | null
  /** The key that is active until the database changes to `rootKey`; null: there is no other key. */
  oldKey?: Buffer | null
  /** The folder of the migrations; by default the folder of this version. */
  folder?: string
  /** By default 2 s for each attempt and 2 minutes in total. */
  lockWaits?: LockWaits
  /** The pooler through which requests reach the database, if it is not at `url`. */
  pooled?: PooledAddress | null
  /** Throws if this process may not make the schema that the database lacks; by default it may. */
  allow?: (schema: MissingSchema) => void
}

/** `none`: Crosswalk has never used this database. `older`: an earlier version did. */
export type MissingSchema = 'none' | 'older'

/**
 * Makes the roles, runs each new file of `migrations/`, then `afterwards`.
 * Processes that start together wait for each other. During an upgrade, old processes may still
 * start, so migrations of a newer version are ignored.
 * @param url the URL of the migrating role, which will own the schema, to PostgreSQL itself
 * @throws OperatorError if the server, its pooler, the database or the migrating role is
 * unsuitable; if the database has another key or an unreleased version; or if a migration was
 * edited after it ran
 */
export async function migrate(
  url: string,
  rootKey: Buffer,
  log: Log,
  {
    afterwards = async () => {},
    newKey = null,
    oldKey = null,
    folder = migrationsFolder,
    lockWaits = defaultLockWaits,
    pooled = null,
    allow = () => {},
  }: MigrateOptions = {},
): Promise<Migrated> {
  const setting = pooled ? 'DIRECT_DATABASE_URL' : 'DATABASE_URL'
  const open = () => namingSetting(setting, connect(url, log))
  const client = await open()
  try {
    await requireFittingPooler(client, open, pooled)
    await checkServer(client, setting)
    await lockMigrations(client, log)
    const recorded = await recordedMigrations(client)
    if (missingMigrations(recorded, folder).length > 0) allow(recorded.length > 0 ? 'older' : 'none')
    if (newKey) await checkChange(client, rootKey, newKey)
    const activeKey = newKey ? rootKey : await findActiveKey(client, rootKey, oldKey)
    const others = [rootKey, ...(oldKey ? [oldKey] : [])].filter((key) => !key.equals(activeKey))
    const urls = [url, ...(pooled ? [pooled.url] : [])]
    const { roles, roleKey } = await prepareRoles(client, urls, [activeKey, ...others], log)
    const retried = <T>(what: string, work: () => Promise<T>) =>
      withLockRetries(client, log, what, work, lockWaits)
    await refuseTemporaryTables(client)
    const files = await pendingFiles(client, log, folder)
    await logging(log, recorded.length > 0 ? files : [], async () => {
      for (const file of files) {
        await applyMigration(client, file, log, lockWaits)
        log.debug({ migration: file.name }, 'migrated')
      }
    })
    const applied = files.map(({ name }) => name)
    await retried('The change of app.installation', () => makeInstallation(client))
    const secrets = newKey
      ? await retried('The change of the encryption key', () => changeKey(client, rootKey, newKey))
      : null
    await storeKeyCheck(client, activeKey)
    await retried('The set-up of background jobs and match keys', () => afterwards(client, applied))
    const orgTokenKey = await readOrgTokenKey(client, activeKey)
    const foreignSecrets = await countForeign(client, rootKey, oldKey)
    return { applied, roles, roleKey, activeKey, secrets, orgTokenKey, foreignSecrets }
  } finally {
    await client.end().catch(() => {})
  }
}

/** Logs what `work` migrates, and how long it took. */
async function logging(log: Log, files: readonly MigrationFile[], work: () => Promise<void>): Promise<void> {
  const facts = { first: files[0]?.name, last: files.at(-1)?.name, number: files.length }
  const startedAt = performance.now()
  if (files.length > 0) log.info(facts, 'migrating the database of an earlier version')
  await work()
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10
  if (files.length > 0) log.info({ ...facts, seconds }, 'migrated the database')
}

/** Waits while another process prepares this database. */
export const lockMigrations = (client: Client, log: Log) =>
  lockForSession(client, migrationLock, () =>
    log.info(
      'another process prepares this database, "crosswalk migrate" in pg_stat_activity: waiting for it',
    ),
  )

/**
 * Before it changes anything, refuses an encryption key that would lose secrets.
 * @throws OperatorError
 */
async function checkChange(client: Client, rootKey: Buffer, change: EncryptionKeyChange): Promise<void> {
  if (change.oldKey) await checkOldKey(client, change.oldKey, rootKey)
  await requireOpenable(client, rootKey, change)
}

/** Seals all secrets again, and stores the check value of the new key, in one transaction. */
async function changeKey(
  client: Client,
  rootKey: Buffer,
  change: EncryptionKeyChange,
): Promise<ResealCounts> {
  await client.query('begin')
  try {
    const resealed = await resealSecrets(client, rootKey, change)
    await resealOrgTokenKey(client, rootKey, change.oldKey)
    await storeKeyCheck(client, rootKey)
    await client.query('commit')
    return resealed
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

async function connect(url: string, log: Log): Promise<Client> {
  const config = {
    ...connectionConfig(url),
    connectionTimeoutMillis: 10_000,
    application_name: 'crosswalk migrate',
    keepAlive: true,
  }
  return await connectClient(config, (error) => log.error({ err: error }, 'the migrating connection broke'))
}

/** Returns the migrations that this database lacks. @throws OperatorError like missingMigrations */
async function pendingFiles(client: Client, log: Log, folder: string): Promise<MigrationFile[]> {
  await client.query(
    'create table if not exists schema_migration (name text primary key, sha256 text not null, applied_at timestamptz not null default now())',
  )
  // SchemaCheck reads it.
  await client.query(`
    do $$ begin
      if not has_table_privilege('crosswalk_system', 'schema_migration', 'select') then
        grant select on schema_migration to crosswalk_system;
      end if;
    end $$`)
  const rows = await recordedMigrations(client)
  const names = migrationFiles(folder)
  const unknown = rows.map(({ name }) => name).filter((name) => !names.includes(name))
  const missing = missingMigrations(rows, folder)
  if (unknown.length > 0) log.warn({ migrations: unknown }, 'a newer Crosswalk has migrated this database')
  return missing
}
