import type { Client, ClientBase } from 'pg'
import { OperatorError } from '../report.ts'
import { oneRow } from './one-row.ts'

/**
 * The pooler between this process and PostgreSQL. A `transaction` pooler can use another connection for each
 * transaction.
 */
export type Pooler = 'none' | 'session' | 'transaction'

// Try several times: a pooler usually lends the last used connection, but another client can get it first.
const attempts = 3

/**
 * Detects a connection pooler in front of PostgreSQL, and its kind.
 * @param open opens one more connection, which this function closes
 */
export async function findPooler(client: ClientBase, open: () => Promise<Client>): Promise<Pooler> {
  // PostgreSQL announces its process id when a session starts. A pooler announces an invented id.
  if ((await readBackendPid(client)) === announcedPid(client)) return 'none'
  const second = await open()
  try {
    for (let attempt = 0; attempt < attempts; attempt++) {
      // Two open connections share a PostgreSQL process only behind a pooler.
      if ((await readBackendPid(client)) === (await readBackendPid(second))) return 'transaction'
    }
    return 'session'
  } finally {
    await second.end().catch(() => {})
  }
}

export async function requireSessions(client: ClientBase, open: () => Promise<Client>): Promise<void> {
  if ((await findPooler(client, open)) !== 'transaction') return
  throw new OperatorError(
    'A connection pooler in front of PostgreSQL gives each transaction another connection. Crosswalk needs one ' +
      'connection for each session: set pool_mode = session (PgBouncer), or let DATABASE_URL name PostgreSQL itself.',
  )
}

async function readBackendPid(client: ClientBase): Promise<number> {
  const { pid } = await oneRow<{ pid: number }>(client, 'select pg_backend_pid() as pid')
  return pid
}

/** pg knows the process id, which it needs to cancel statements, but its types lack it. */
const announcedPid = (client: ClientBase) => (client as ClientBase & { processID?: number }).processID
