import type { Client, ClientBase } from 'pg'
import { OperatorError } from '../report.ts'
import { oneRow } from './one-row.ts'

/** What stands between this process and PostgreSQL; `transaction` is a pooler that shares connections while they are in use. */
export type Pooler = 'none' | 'session' | 'transaction'

// A pooler lends the connection that was used last, unless another client takes it in between.
const attempts = 3

/**
 * Whether `client` leads through a connection pooler, and of which kind.
 * @param open makes one more connection; it is ended here
 */
export async function findPooler(client: ClientBase, open: () => Promise<Client>): Promise<Pooler> {
  // PostgreSQL announces its process id when a session starts; a pooler announces one that it made up.
  if ((await readBackendPid(client)) === announcedPid(client)) return 'none'
  const second = await open()
  try {
    for (let attempt = 0; attempt < attempts; attempt++) {
      // Two open connections never share a process of PostgreSQL, unless a pooler shares it out.
      if ((await readBackendPid(client)) === (await readBackendPid(second))) return 'transaction'
    }
    return 'session'
  } finally {
    await second.end().catch(() => {})
  }
}

/** @throws OperatorError behind a pooler that Crosswalk cannot work with */
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

/** pg keeps it to cancel statements, and leaves it out of its types. */
const announcedPid = (client: ClientBase) => (client as ClientBase & { processID?: number }).processID
