import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { projectRoot } from '../../config.ts'
import type { Log } from '../../log.ts'
import { OperatorError } from '../../report.ts'
import { type KeyChange, type Resealed, requireOpenable, resealSecrets } from '../../secrets/reseal.ts'
import { connectionConfig } from '../address.ts'
import type { RoleMode } from '../roles.ts'
import { checkKey, checkOldKey, keepKeyCheck, makeInstallation } from './key-check.ts'
import { carryOrgTokenKey, readOrgTokenKey } from './org-token-key.ts'
import { prepareRoles } from './prepare-roles.ts'
import { checkServer } from './server-check.ts'

const migrationsFolder = join(projectRoot, 'migrations')
// Any constant will do, so long as every Crosswalk process takes the same one.
const migrationLock = 7_364_201_155

/** `secrets`: what a change of the encryption key did to them; null if there was none. */
export type Migrated = {
  applied: string[]
  roles: RoleMode
  secrets: Resealed | null
  /** What OrgTokens are made with. */
  orgTokenKey: Buffer
}

export type MigrateOptions = {
  /** Other engines' schemas, made last; `applied` is what of ours is new. */
  afterwards?: (owner: Client, applied: readonly string[]) => Promise<void>
  /** Takes `rootKey` for this database's from now on, though it was set up with another. */
  newKey?: KeyChange | null
}

/**
 * Brings the database to this version's schema: roles, then each new file of `migrations/` in a transaction of
 * its own, then `afterwards`. Processes that start together wait for one another. Migrations that only a newer
 * version knows are left alone: while a new version rolls out, processes of the old one may start (a migration
 * first adds, and a later version's takes away).
 * @param url the migrating role's, which will own the schema
 * @throws OperatorError if the server, the database or the migrating role will not do, or `rootKey` is not the one
 * that the database was set up with; Error if a migration that ran has been edited since
 */
export async function migrate(
  url: string,
  rootKey: Buffer,
  log: Log,
  { afterwards = async () => {}, newKey = null }: MigrateOptions = {},
): Promise<Migrated> {
  const client = await connect(url, log)
  try {
    await checkServer(client)
    await takeTurn(client, log)
    if (newKey) await checkChange(client, rootKey, newKey)
    else await checkKey(client, rootKey)
    const roles = await prepareRoles(client, url, rootKey, log)
    const applied = await applyFiles(client, log)
    await makeInstallation(client)
    const secrets = newKey ? await changeKey(client, rootKey, newKey) : null
    await keepKeyCheck(client, rootKey)
    await afterwards(client, applied)
    return { applied, roles, secrets, orgTokenKey: await readOrgTokenKey(client, rootKey) }
  } finally {
    await client.end().catch(() => {})
  }
}

/** Waits for whoever prepares this database at the moment. */
async function takeTurn(client: Client, log: Log): Promise<void> {
  const { rows } = await client.query<{ free: boolean }>('select pg_try_advisory_lock($1) as free', [
    migrationLock,
  ])
  if (rows[0]!.free) return
  log.info('another process prepares this database, "crosswalk migrate" in pg_stat_activity: waiting for it')
  await client.query('select pg_advisory_lock($1)', [migrationLock])
}

/** Refuses a change that would lose something, before anything is done. @throws OperatorError */
async function checkChange(client: Client, rootKey: Buffer, change: KeyChange): Promise<void> {
  if (change.oldKey) await checkOldKey(client, change.oldKey, rootKey)
  await requireOpenable(client, rootKey, change)
}

/** What is sealed, and which key this database has, in one transaction. */
async function changeKey(client: Client, rootKey: Buffer, change: KeyChange): Promise<Resealed> {
  await client.query('begin')
  try {
    const resealed = await resealSecrets(client, rootKey, change)
    await carryOrgTokenKey(client, rootKey, change.oldKey)
    await keepKeyCheck(client, rootKey)
    await client.query('commit')
    return resealed
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

async function connect(url: string, log: Log): Promise<Client> {
  const client = new Client({
    ...connectionConfig(url),
    connectionTimeoutMillis: 10_000,
    application_name: 'crosswalk migrate',
    keepAlive: true,
  })
  client.on('error', (error) => log.error({ err: error }, 'the migrating connection broke'))
  try {
    await client.connect()
  } catch (error) {
    if ((error as { code?: string }).code !== '3D000') throw error
    throw new OperatorError(`${(error as Error).message}: create it, or let DATABASE_URL name one that does.`)
  }
  return client
}

/** The names of all migrations, in their order. */
export function migrationFiles(): string[] {
  return readdirSync(migrationsFolder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
}

async function applyFiles(client: Client, log: Log): Promise<string[]> {
  await client.query(
    'create table if not exists schema_migration (name text primary key, sha256 text not null, applied_at timestamptz not null default now())',
  )
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from schema_migration',
  )
  const done = new Map(rows.map((row) => [row.name, row.sha256]))
  const files = migrationFiles()
  const unknown = [...done.keys()].filter((name) => !files.includes(name))
  if (unknown.length > 0) log.warn({ migrations: unknown }, 'a newer Crosswalk has migrated this database')
  const applied: string[] = []
  for (const name of files) {
    const sql = readFileSync(join(migrationsFolder, name), 'utf8')
    const sha256 = hash('sha256', sql)
    const before = done.get(name)
    if (before === sha256) continue
    if (before !== undefined)
      throw new OperatorError(`Migration ${name} was edited after it ran here; restore it and add a new one`)
    try {
      await client.query('begin')
      await client.query('insert into schema_migration (name, sha256) values ($1, $2)', [name, sha256])
      await client.query(sql)
      await client.query('commit')
    } catch (error) {
      await client.query('rollback').catch(() => {})
      throw new Error(`Migration ${name} failed: ${(error as Error).message}`, { cause: error })
    }
    applied.push(name)
    log.debug({ migration: name }, 'migrated')
  }
  return applied
}
