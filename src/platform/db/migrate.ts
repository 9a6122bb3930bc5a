import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { projectRoot } from '../config.ts'
import type { Log } from '../log.ts'
import { prepareRoles } from './roles.ts'

const folder = join(projectRoot, 'migrations')
// Any constant will do, so long as every Crosswalk process takes the same one.
const migrationLock = 7_364_201_155

export type Migrated = { applied: string[]; roles: 'login' | 'set-role' }

/**
 * Brings the database to this version's schema: roles, then each new file of `migrations/` in a transaction of
 * its own, then `afterwards` (other engines' schemas). Processes that start together wait for one another.
 * @param url the migrating role's, which will own the schema
 * @throws Error if the server is not PostgreSQL 15 to 18, or a migration that ran has been edited since
 */
export async function migrate(
  url: string,
  rootKey: Buffer,
  log: Log,
  afterwards: (owner: Client) => Promise<void> = async () => {},
): Promise<Migrated> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    application_name: 'crosswalk migrate',
  })
  client.on('error', (error) => log.error({ err: error }, 'the migrating connection broke'))
  await client.connect()
  try {
    await checkVersion(client)
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    const roles = await prepareRoles(client, url, rootKey)
    const applied = await applyFiles(client, log)
    await afterwards(client)
    return { applied, roles }
  } finally {
    await client.end().catch(() => {})
  }
}

async function checkVersion(client: Client): Promise<void> {
  const { rows } = await client.query<{ server_version_num: string }>('show server_version_num')
  const major = Math.floor(Number(rows[0]?.server_version_num) / 10_000)
  if (major < 15) throw new Error(`Crosswalk needs PostgreSQL 15 or newer; this server is ${major}`)
}

async function applyFiles(client: Client, log: Log): Promise<string[]> {
  await client.query(
    'create table if not exists schema_migration (name text primary key, sha256 text not null, applied_at timestamptz not null default now())',
  )
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from schema_migration',
  )
  const done = new Map(rows.map((row) => [row.name, row.sha256]))
  const applied: string[] = []
  for (const name of readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()) {
    const sql = readFileSync(join(folder, name), 'utf8')
    const sha256 = hash('sha256', sql)
    const before = done.get(name)
    if (before === sha256) continue
    if (before !== undefined)
      throw new Error(`Migration ${name} was edited after it ran here; restore it and add a new one`)
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
