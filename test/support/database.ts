import { randomUUID } from 'node:crypto'
import { Pool } from 'pg'

/** The passwords of the roles on the shared server derive from this key. */
export const testKey: Buffer = Buffer.alloc(32, 'test key')

/** Tables whose rows background work changes: sums, counts, the state of webhook endpoints, and erasures. */
export const backgroundTables: readonly string[] = [
  ...['record_delta', 'record_total', 'deal_delta', 'deal_total', 'usage_hour'],
  ...['webhook_position', 'webhook_attempt', 'webhook_hour', 'webhook_replay', 'webhook_retry'],
  ...['web_event_delta', 'web_event_count', 'web_event_erasure'],
  ...['web_report_delta', 'web_report'],
]

export function databaseNamed(url: string, database: string): string {
  const changed = new URL(url)
  changed.pathname = `/${database}`
  return changed.toString()
}

export async function cloneDatabase(serverUrl: string): Promise<{ url: string; drop(): Promise<void> }> {
  const database = `crosswalk_test_${randomUUID().replaceAll('-', '')}`
  // file_copy is faster than PostgreSQL's default, which writes every page to the write-ahead log.
  const clone = `create database ${database} template crosswalk_template strategy file_copy`
  const client = await poolOf(serverUrl).connect()
  try {
    // Clone one at a time: PostgreSQL refuses a template that is in use.
    await client.query('select pg_advisory_lock(1)')
    await client.query(clone).finally(() => client.query('select pg_advisory_unlock(1)'))
  } finally {
    client.release()
  }
  return {
    url: databaseNamed(serverUrl, database),
    drop: async () => {
      await runAsOwner(serverUrl, `drop database if exists ${database} with (force)`)
    },
  }
}

// Pooled, because a connection would cost more than a query.
const pools = new Map<string, Pool>()

function poolOf(url: string): Pool {
  const known = pools.get(url)
  if (known) return known
  const pool = new Pool({ connectionString: url, max: 4, idleTimeoutMillis: 10_000, allowExitOnIdle: true })
  // Ignore errors when the database or the server ends.
  pool.on('error', () => {})
  pools.set(url, pool)
  return pool
}

/** Sends one statement as the migrating role. */
export async function runAsOwner<Row extends object>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return (await poolOf(url).query<Row>(text, values)).rows
}
