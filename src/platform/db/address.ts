import { Client, type ClientBase, type ClientConfig, type QueryConfig } from 'pg'
import { parseIntoClientConfig } from 'pg-connection-string'

/** Limits of a session in milliseconds; 0 is none. */
export type SessionLimits = Partial<
  Record<'statement_timeout' | 'lock_timeout' | 'idle_in_transaction_session_timeout', number>
>

// What statements and pg rely on, whatever an administrator set for the database or the role.
const sessionSettings = {
  statement_timeout: 0,
  search_path: 'public',
  datestyle: 'ISO',
  lock_timeout: 0,
  idle_in_transaction_session_timeout: 0,
}
const connectTimeoutMs = 5_000

/** How to connect, as a pool takes it. A client of its own calls `prepareSession` once it is connected. */
export type Connection = ClientConfig & { onConnect(client: ClientBase): Promise<void> }

/**
 * How to connect to the database of `url`, as libpq would: an address without a user or database means those of
 * PGUSER and PGDATABASE, or the system's user and a database of the user's name.
 * @throws Error if `url` cannot be read; see `addressFault`
 */
export function connectionConfig(url: string, limits: SessionLimits = {}): Connection {
  const config = parseIntoClientConfig(url)
  // Written down, since other roles will connect with this, whose own names mean other databases.
  const { database, user } = new Client(config)
  return {
    ...config,
    ...(database ? { database } : {}),
    ...(user ? { user } : {}),
    onConnect: (client) => prepareSession(client, limits),
  }
}

/**
 * Sets what every session of ours has. Statements do it, because connection poolers refuse such parameters at start-up or
 * drop them.
 */
export async function prepareSession(client: ClientBase, limits: SessionLimits = {}): Promise<void> {
  const settings = Object.entries({ ...sessionSettings, ...limits })
  const text = settings.map(([name, value]) => `set ${name} = ${value}`).join('; ')
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query({ text, query_timeout: connectTimeoutMs } as QueryConfig)
      return
    } catch (error) {
      // The role's own statement_timeout, which the first statement lifts, may be a millisecond.
      if ((error as { code?: unknown }).code !== '57014' || attempt === 10) throw error
    }
  }
}

/** What is wrong with a database's address, in words for whoever wrote it; null if it can be read. */
export function addressFault(url: string): string | null {
  const encode =
    'in a password or name write @ as %40, / as %2F, : as %3A, ? as %3F, # as %23 and % as %25 (postgres://user:pass%40word@host:5432/database)'
  try {
    const { host, database } = connectionConfig(url)
    // The rest of a password that has a slash in it.
    if (database?.includes('@') && !/^[^/]*\/\/[^/]*@/.test(url))
      return `cannot be read as it is meant: ${encode}`
    if (host?.includes(',')) return 'names several hosts; give one'
    return null
  } catch (error) {
    const { code, path, message } = error as NodeJS.ErrnoException
    if (path) return `names a file that cannot be read (${code} ${path})`
    return error instanceof TypeError || error instanceof URIError
      ? `cannot be read: ${encode}`
      : `cannot be used: ${message}`
  }
}
