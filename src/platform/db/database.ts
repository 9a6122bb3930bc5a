import type { Socket } from 'node:net'
import { type ClientConfig, Pool, type PoolClient, type PoolConfig, types } from 'pg'
import { parseIntoClientConfig } from 'pg-connection-string'
import type { Log } from '../log.ts'
import { Org } from './org.ts'
import { type RoleName, roleConfig } from './roles.ts'
import { Scope } from './scope.ts'
import type { Statement } from './statement.ts'

// bigint as a number: every bigint of ours (counts, sizes) stays far below 2^53.
types.setTypeParser(types.builtins.INT8, Number)

const closeGraceMs = 500

export type DatabaseOptions = {
  /** The migrating role's URL; the pools log in as the two roles. */
  url: string
  rootKey: Buffer
  roles: 'login' | 'set-role'
  log: Log
  /** Connections of each pool at most. */
  appConnections?: number
  systemConnections?: number
}

/** The connections of one process: a pool that is bound to one org at a time, and a small one that is not. */
export class Database {
  readonly #options: DatabaseOptions
  readonly #app: Pool
  readonly #system: Pool
  readonly #appPrepared = new WeakSet<PoolClient>()
  readonly #systemPrepared = new WeakSet<PoolClient>()
  readonly #clients = new Set<PoolClient>()

  constructor(options: DatabaseOptions) {
    this.#options = options
    this.#app = this.#pool('crosswalk_app', options.appConnections ?? 16)
    this.#system = this.#pool('crosswalk_system', options.systemConnections ?? 4)
  }

  /** The handle through which everything of one org is read and written. */
  org(orgId: string): Org {
    return new Org(orgId, new Scope(this.#app, this.#binding('crosswalk_app', orgId), this.#appPrepared))
  }

  /** Across orgs: for authentication, jobs and operator commands alone; see `system.ts`. */
  systemScope(): Scope {
    return new Scope(this.#system, this.#binding('crosswalk_system', ''), this.#systemPrepared)
  }

  /** True if the database answers within `timeoutMs`. */
  async answers(timeoutMs: number): Promise<boolean> {
    const late = new Promise<false>((resolve) => setTimeout(() => resolve(false), timeoutMs).unref())
    const asked = this.systemScope()
      .readRows({ text: 'select 1', values: [] })
      .then(
        () => true,
        () => false,
      )
    return Promise.race([asked, late])
  }

  /** How to connect as `role`, or as the migrating role where the roles have no login. */
  connectionFor(role: RoleName): ClientConfig {
    const { url, rootKey, roles } = this.#options
    return roles === 'login' ? roleConfig(url, rootKey, role) : parseIntoClientConfig(url)
  }

  /** Connections that are open, idle, and requests that wait for one. */
  gauges(): { open: number; idle: number; waiting: number } {
    return { open: this.#app.totalCount, idle: this.#app.idleCount, waiting: this.#app.waitingCount }
  }

  /** Closes all connections, those whose statement does not end soon by breaking them: what they did rolls back. */
  async close(): Promise<void> {
    const cut = setTimeout(() => {
      for (const client of this.#clients) streamOf(client).destroy()
    }, closeGraceMs)
    await Promise.all([this.#app.end(), this.#system.end()])
    clearTimeout(cut)
  }

  #pool(role: RoleName, max: number): Pool {
    const config: PoolConfig = {
      ...this.connectionFor(role),
      application_name: role,
      max,
      min: 1,
      pipeline: true,
      connectionTimeoutMillis: 5_000,
      idleTimeoutMillis: 30_000,
      statement_timeout: 15_000,
      lock_timeout: 10_000,
      idle_in_transaction_session_timeout: 60_000,
      keepAlive: true,
    }
    const pool = new Pool(config)
    // The pool listens to idle clients alone: one that breaks between two statements would end the process. Its next
    // statement fails, and says why.
    pool.on('connect', (client) => client.on('error', () => {}))
    pool.on('connect', (client) => this.#clients.add(client))
    pool.on('remove', (client) => this.#clients.delete(client))
    pool.on('error', (error) =>
      this.#options.log.warn({ err: error, role }, 'an idle database connection broke'),
    )
    return pool
  }

  // Without a row to send, the binding costs less.
  #binding(role: RoleName, orgId: string): Statement<unknown> {
    return this.#options.roles === 'login'
      ? { text: `select where set_config('app.org_id', $1, true) is null`, values: [orgId] }
      : {
          text: `select where set_config('role', '${role}', true) is null or set_config('app.org_id', $1, true) is null`,
          values: [orgId],
        }
  }
}

/** `end()` would wait for the statements that a pipelining client has sent. */
function streamOf(client: PoolClient): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream
}
