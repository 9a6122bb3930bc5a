import type { ConnectionOptions } from 'node:tls'
import { Client, type ClientBase, type ClientConfig, defaults, type QueryConfig } from 'pg'
import { parseIntoClientConfig } from 'pg-connection-string'
import { type Hosts, hostsOf } from './hosts.ts'

// A local offset may be one that PostgreSQL refuses, such as the 25 hours of TZ=UTC+25.
defaults.parseInputDatesAsUTC = true

export type SessionLimits = Partial<
  Record<
    | 'statement_timeout'
    | 'lock_timeout'
    | 'idle_in_transaction_session_timeout'
    | 'max_parallel_workers_per_gather',
    number
  >
>

/**
 * What a pooler in front of PostgreSQL lends a connection for. `session`: a client keeps its connection. `transaction`:
 * each transaction gets another connection, so settings, prepared statements and LISTEN do not last.
 */
export type PoolerMode = 'session' | 'transaction'

/** The address of a connection pooler, through which requests reach the database. */
export type PooledAddress = { url: string; mode: PoolerMode }

/** Statements and pg need these settings. An administrator may have changed them for the database or the role. */
export const neededSettings = {
  statement_timeout: 0,
  search_path: 'public',
  datestyle: 'ISO',
  lock_timeout: 0,
  idle_in_transaction_session_timeout: 0,
}
const connectTimeoutMs = 5_000

/** The configuration for a pool, or for `connectClient`. */
export type Connection = ClientConfig & {
  onConnect(client: ClientBase): Promise<void>
  /** How many servers the address has. */
  hostCount: number
}

/**
 * The configuration for the database of `url`. Missing parts come from PGUSER, PGDATABASE and the
 * name of the system's user, as in libpq.
 * @param limits null: the settings of the session stay unchanged, because a pooler would give the session to others
 * @throws Error if `url` cannot be read; see `addressFault`
 */
export function connectionConfig(url: string, limits: SessionLimits | null = {}): Connection {
  const prepare = async (client: ClientBase) => {
    if (limits) await prepareSession(client, limits)
  }
  const several = hostsOf(url)
  const config = parseIntoClientConfig(several?.first ?? url)
  // Set both: without `database`, pg would use the name of the role, and this configuration also serves other roles.
  const { database, user } = new Client(config)
  const complete = { ...config, ...(database ? { database } : {}), ...(user ? { user } : {}) }
  if (!several) return { ...complete, hostCount: 1, onConnect: prepare }
  const { hosts } = several
  return {
    ...complete,
    ...(config.ssl && { ssl: withIdentityOf(hosts, config.ssl) }),
    hostCount: hosts.all.length,
    stream: () => hosts.socket() as never,
    onConnect: async (client) => {
      await hosts.requirePrimary(client)
      await prepare(client)
    },
  }
}

/** pg would require that each server has a certificate for the first host. */
function withIdentityOf(hosts: Hosts, ssl: true | ConnectionOptions): ConnectionOptions {
  const options = ssl === true ? {} : ssl
  return { checkServerIdentity: (_host, certificate) => hosts.checkIdentity(certificate), ...options }
}

/**
 * Opens a connection outside of the pools, and prepares its session. If the address has several hosts, each is tried.
 * @param onError called when the connection breaks later
 */
export async function connectClient(
  { hostCount, ...config }: Connection,
  onError: (error: Error) => void = () => {},
): Promise<Client> {
  for (let left = hostCount; ; left--) {
    const client = new Client(config)
    client.on('error', onError)
    try {
      await client.connect()
      await config.onConnect(client)
      return client
    } catch (error) {
      await client.end().catch(() => {})
      if (left <= 1) throw error
    }
  }
}

/** Sends statements, because connection poolers refuse or drop startup parameters. */
async function prepareSession(client: ClientBase, limits: SessionLimits = {}): Promise<void> {
  const settings = Object.entries({ ...neededSettings, ...limits })
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

/** Returns the reason why a database address is invalid, for the operator who wrote it; null if it is valid. */
export function addressFault(url: string): string | null {
  const encode =
    'in a password or name write @ as %40, / as %2F, : as %3A, ? as %3F, # as %23 and % as %25 (postgres://user:pass%40word@host:5432/database)'
  try {
    const { host } = connectionConfig(url)
    // A slash in the password ends the host early, so the password's rest and `@` become part of the database name.
    if (/^[^/]*\/\/[^/]*\/[^?]*@/.test(url)) return `has an unencoded special character: ${encode}`
    if (host?.includes(','))
      return 'names several hosts after host=; write them before the name of the database (postgres://one:5432,two:5432/crosswalk)'
    return null
  } catch (error) {
    const { code, path, message } = error as NodeJS.ErrnoException
    if (path) return `names a file that cannot be read (${code} ${path})`
    return error instanceof TypeError || error instanceof URIError
      ? `cannot be read: ${encode}`
      : `cannot be used: ${message}`
  }
}
