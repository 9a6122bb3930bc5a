import { Client, type ClientConfig } from 'pg'
import { parseIntoClientConfig } from 'pg-connection-string'

// What statements and pg rely on, whatever an administrator set for the database or the migrating role. Limits are
// set where a connection is to have some: a migration may take its time.
const session = [
  'search_path=public',
  'datestyle=ISO',
  'statement_timeout=0',
  'lock_timeout=0',
  'idle_in_transaction_session_timeout=0',
]
  .map((setting) => `-c ${setting}`)
  .join(' ')

/**
 * How to connect to the database of `url`, as libpq would: an address without a user or database means those of
 * PGUSER and PGDATABASE, or the system's user and a database of the user's name.
 * @throws Error if `url` cannot be read; see `addressFault`
 */
export function connectionConfig(url: string): ClientConfig {
  const config = parseIntoClientConfig(url)
  // Written down, since other roles will connect with this, whose own names mean other databases.
  const { database, user } = new Client(config)
  return {
    ...config,
    ...(database ? { database } : {}),
    ...(user ? { user } : {}),
    options: config.options ? `${config.options} ${session}` : session,
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
