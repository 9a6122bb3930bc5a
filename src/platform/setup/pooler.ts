import type { Client, ClientBase } from 'pg'
import { connectClient, connectionConfig, type PooledAddress, type PoolerMode } from '../db/address.ts'
import { OperatorError } from '../report.ts'
import { oneRow } from './one-row.ts'

/** The pooler between this process and PostgreSQL. `statement`: it refuses transactions. */
export type Pooler = 'none' | PoolerMode | 'statement'

// Ask several times: a pooler usually lends the last used connection, but another client can get it first.
const attempts = 5

/**
 * Detects a connection pooler in front of PostgreSQL, and its kind.
 * @param open opens one more connection, which this function closes
 */
export async function findPooler(client: ClientBase, open: () => Promise<Client>): Promise<Pooler> {
  // PostgreSQL announces its process id when a session starts. A pooler announces an invented id.
  const own = await readBackendPid(client)
  if (own === announcedPid(client)) return 'none'
  const second = await open()
  try {
    const other = await readBackendPid(second)
    for (let attempt = 0; attempt < attempts; attempt++) {
      const pids = [await readBackendPid(client), await readBackendPid(second)]
      // Two open connections share a PostgreSQL process, or one changes it, only behind a pooler.
      if (own === other || pids[0] !== own || pids[1] !== other)
        return (await keepsTransactions(second)) ? 'transaction' : 'statement'
    }
    return 'session'
  } finally {
    await second.end().catch(() => {})
  }
}

/** The pooler that an installation has, and what is wrong with its settings; null: nothing. */
export type PoolerFindings = { pooler: Pooler; fault: string | null }

/**
 * Finds the pooler of an installation, and checks that its settings fit.
 * @param direct a connection to the address that must keep sessions
 * @param open opens one more connection to this address
 * @param pooled the address for requests, if it is another one
 * @throws the error of a connection to `pooled` that fails
 */
export async function examinePooler(
  direct: ClientBase,
  open: () => Promise<Client>,
  pooled: PooledAddress | null,
): Promise<PoolerFindings> {
  const found = await findPooler(direct, open)
  if (found === 'statement' && !pooled) return { pooler: found, fault: noTransactions }
  if (found === 'transaction' || found === 'statement')
    return { pooler: found, fault: pooled ? directIsPooled : unexpectedPooler }
  if (!pooled) return { pooler: found, fault: null }
  const connectPooled = () => connectThrough(pooled.url)
  const client = await connectPooled()
  try {
    const pooler = await findPooler(client, connectPooled)
    if (pooler === 'statement') return { pooler, fault: noTransactions }
    if (pooler === 'transaction' && pooled.mode === 'session') return { pooler, fault: unexpectedPooler }
    const isSame = (await databaseOf(client)) === (await databaseOf(direct))
    return { pooler, fault: isSame ? null : otherDatabase }
  } finally {
    await client.end().catch(() => {})
  }
}

/** @throws OperatorError that says which setting is wrong */
export async function requireFittingPooler(...parts: Parameters<typeof examinePooler>): Promise<void> {
  const { fault } = await examinePooler(...parts)
  if (fault) throw new OperatorError(fault)
}

const unexpectedPooler =
  'DATABASE_URL leads to a connection pooler that gives each transaction another connection. Set POOLER=transaction, and ' +
  'DIRECT_DATABASE_URL to the address of PostgreSQL itself; or set pool_mode = session (PgBouncer).'
const directIsPooled =
  'DIRECT_DATABASE_URL leads to a connection pooler that gives each transaction another connection. It must be the ' +
  'address of PostgreSQL itself.'
const noTransactions =
  'The connection pooler of DATABASE_URL refuses transactions of several statements: set pool_mode = transaction (PgBouncer).'
const otherDatabase =
  'DATABASE_URL and DIRECT_DATABASE_URL lead to different databases: both must name the same database on the same server.'

const connectThrough = (url: string): Promise<Client> =>
  connectClient({
    ...connectionConfig(url, null),
    connectionTimeoutMillis: 10_000,
    application_name: 'crosswalk pooler check',
  })

/** Whether the pooler accepts a transaction of several statements. If it does not, PgBouncer also closes the connection. */
async function keepsTransactions(client: ClientBase): Promise<boolean> {
  try {
    await client.query('begin')
    await client.query('rollback')
    return true
  } catch (error) {
    // PgBouncer in statement mode
    if (/statement pooling/.test((error as Error).message)) return false
    throw error
  }
}

/** A text that is the same for all connections to one database of one running server. */
async function databaseOf(client: ClientBase): Promise<string> {
  const { place } = await oneRow<{ place: string }>(
    client,
    `select concat_ws(' ', oid, pg_postmaster_start_time()) as place from pg_database where datname = current_database()`,
  )
  return place
}

async function readBackendPid(client: ClientBase): Promise<number> {
  const { pid } = await oneRow<{ pid: number }>(client, 'select pg_backend_pid() as pid')
  return pid
}

/** pg knows the process id, which it needs to cancel statements, but its types lack it. */
const announcedPid = (client: ClientBase) => (client as ClientBase & { processID?: number }).processID
