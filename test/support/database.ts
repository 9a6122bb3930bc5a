import { randomUUID } from 'node:crypto'
import { Client, Pool } from 'pg'

/**
 * The encryption key of every test installation. The passwords of the roles on the common server are derived
 * from this key.
 */
export const testKey: Buffer = Buffer.alloc(32, 'test key')

/** Tables that background work changes: totals are folded. */
export const restlessTables: readonly string[] = ['record_delta', 'record_total', 'deal_delta', 'deal_total']

/** `url` with the name of another database. */
export function databaseNamed(url: string, database: string): string {
  const changed = new URL(url)
  changed.pathname = `/${database}`
  return changed.toString()
}

/** A new clone of the migrated database, and how to drop it. */
export async function cloneDatabase(serverUrl: string): Promise<{ url: string; drop(): Promise<void> }> {
  const database = `crosswalk_test_${randomUUID().replaceAll('-', '')}`
  // Copying files is faster: by default PostgreSQL would write every page to its log.
  await onServer(serverUrl, `create database ${database} template crosswalk_template strategy file_copy`)
  return {
    url: databaseNamed(serverUrl, database),
    drop: () => onServer(serverUrl, `drop database if exists ${database} with (force)`),
  }
}

// Tests repeat a query until it has the expected result. A connection for each query would cost more than the query.
const pools = new Map<string, Pool>()

function poolOf(url: string): Pool {
  const known = pools.get(url)
  if (known) return known
  const pool = new Pool({ connectionString: url, max: 4, idleTimeoutMillis: 200, allowExitOnIdle: true })
  // Dropping or stopping the database ends this connection.
  pool.on('error', () => {})
  pools.set(url, pool)
  return pool
}

/** The rows of one statement, sent as the migrating role. */
export async function askOwner<Row extends object>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return (await poolOf(url).query<Row>(text, values)).rows
}

async function onServer(serverUrl: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl })
  await client.connect()
  try {
    // Two concurrent clones would both fail, because each finds the template in use.
    await client.query('select pg_advisory_lock(1)')
    await client.query(sql)
  } finally {
    await client.end()
  }
}
