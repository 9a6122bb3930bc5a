import { Client, type ClientBase, type ClientConfig, type QueryConfig } from 'pg'
import { parseIntoClientConfig } from 'pg-connection-string'

export type SessionLimits = Partial<
  Record<'statement_timeout' | 'lock_timeout' | 'idle_in_transaction_session_timeout', number>
>

// Statements and pg need these settings. An administrator may have changed them for the database or the role.
const sessionSettings = {
  statement_timeout: 0,
  search_path: 'public',
  datestyle: 'ISO',
  lock_timeout: 0,
  idle_in_transaction_session_timeout: 0,
}
const connectTimeoutMs = 5_000

/** The configuration for a pool. A separate client calls `prepareSession` after it has connected. */
export type Connection = ClientConfig & { onConnect(client: ClientBase): Promise<void> }

/**
 * The configuration for the database of `url`. Missing parts come from PGUSER, PGDATABASE and the
 * name of the system's user, as in libpq.
 * @throws Error if `url` cannot be read; see `addressFault`
 */
export function connectionConfig(url: string, limits: SessionLimits = {}): Connection {
  const config = parseIntoClientConfig(url)
  // Set both: without `database`, pg would use the name of the role, and this configuration also serves other roles.
  const { database, user } = new Client(config)
  return {
    ...config,
    ...(database ? { database } : {}),
    ...(user ? { user } : {}),
    onConnect: (client) => prepareSession(client, limits),
  }
}

/** Sends statements, because connection poolers refuse or drop startup parameters. */
export async function prepareSession(client: ClientBase, limits: SessionLimits = {}): Promise<void> {
  const settings = Object.entries({ ...sessionSettings, ...limits })
  const text = settings.map(([name, value]) => `set ${name} = ${value}`).join('; ')
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query({ text, query_timeout: connectTimeoutMs } as QueryConfig)
      return
    } catch (error) {
      // Retry: the statement_timeout of the role applies to the first statement, and may be as short as 1 ms.
      if ((error as { code?: unknown }).code !== '57014' || attempt === 10) throw error
    }
  }
}

/** The reason why a database address is invalid, for the operator who wrote it; null if it is valid. */
export function addressFault(url: string): string | null {
  const encode =
    'in a password or name write @ as %40, / as %2F, : as %3A, ? as %3F, # as %23 and % as %25 (postgres://user:pass%40word@host:5432/database)'
  try {
    const { host, database } = connectionConfig(url)
    // A slash in the password ends the host early, so the password's rest and `@` become part of the database name.
    if (database?.includes('@') && !/^[^/]*\/\/[^/]*@/.test(url))
      return `has an unencoded special character: ${encode}`
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
