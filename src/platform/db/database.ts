import { Pool, type PoolClient, type PoolConfig, types } from 'pg'
import type { Actor } from '../actor.ts'
import { inTime } from '../busy-thread.ts'
import type { Caller } from '../caller.ts'
import type { Log } from '../log.ts'
import { type Connection, connectionConfig, type SessionLimits } from './address.ts'
import { FairLimiter } from './fair-limiter.ts'
import { accessSetting } from './limited-records.ts'
import { Org } from './org.ts'
import { type RoleMode, type RoleName, roleConfig } from './roles.ts'
import { Scope } from './scope.ts'
import type { Binding } from './send.ts'
import { breakSilentConnections, streamOf } from './silence.ts'
import { sql } from './sql.ts'

// Parse bigint as a number: all bigints of Crosswalk (counts, sizes) are below 2^53.
types.setTypeParser(types.builtins.INT8, Number)
// Keep a date as text: a JavaScript Date would add a time zone.
types.setTypeParser(types.builtins.DATE, String)

const closeGraceMs = 500
/** Health checks reuse the database's last answer for this time. */
const answerAgeMs = 1_000
// The share of connections that one org may use. The rest stays free for other orgs.
const orgShareMax = 0.75

/** The limits of one process on its use of the database. */
export type DatabaseLimits = {
  appConnections?: number
  systemConnections?: number
  /** The time that a request waits for a connection; 5,000 ms by default. */
  connectionWaitMs?: number
  /**
   * The time limit of one statement; 15,000 ms by default. After 1.2 times this time without an
   * answer, the connection is closed.
   */
  statementTimeoutMs?: number
}

export type DatabaseOptions = DatabaseLimits & {
  /** The URL that connects as the migrating role. The pools connect as two other roles. */
  url: string
  rootKey: Buffer
  roles: RoleMode
  log: Log
}

type TimedAnswer = { at: number; answer: Promise<unknown> }

/** The author that events name, the records that the author reaches, and the payer (Caller.payerId), whose share of connections is used. */
export type Author = Partial<
  Pick<Actor, 'mode' | 'apiKeyId' | 'memberId' | 'connectedAppId' | 'recordAccess'> & Pick<Caller, 'payerId'>
>

/** The connections of one process. One pool runs transactions that each belong to one org. A small pool runs work across orgs. */
export class Database {
  readonly #options: DatabaseOptions
  readonly #app: Pool
  readonly #system: Pool
  readonly #limiter: FairLimiter
  readonly #appPrepared = new WeakSet<PoolClient>()
  readonly #limitedPrepared = new WeakSet<PoolClient>()
  readonly #systemPrepared = new WeakSet<PoolClient>()
  readonly #clients = new Set<PoolClient>()
  readonly #statementTimeoutMs: number
  readonly #ignoreSilence: () => void
  #asked: TimedAnswer | null = null

  constructor(options: DatabaseOptions) {
    this.#options = options
    this.#statementTimeoutMs = options.statementTimeoutMs ?? 15_000
    this.#ignoreSilence = breakSilentConnections(this.#clients, this.#statementTimeoutMs * 1.2)
    const appConnections = options.appConnections ?? 16
    this.#app = this.#pool('crosswalk_app', appConnections)
    this.#limiter = new FairLimiter({
      max: Math.ceil(appConnections * orgShareMax),
      waitMs: options.connectionWaitMs ?? 5_000,
      total: appConnections,
    })
    this.#system = this.#pool('crosswalk_system', options.systemConnections ?? 4)
  }

  /**
   * The handle for the data of one organization.
   * @param by the author for events, by default the system; and the payer, by default the organization itself
   */
  org(orgId: string, by: Author = {}): Org {
    const { mode = 'live', apiKeyId = null, memberId = null, connectedAppId, payerId = orgId } = by
    const { recordAccess } = by
    const actor = {
      ...{ orgId, mode, apiKeyId, memberId, ...(connectedAppId ? { connectedAppId } : {}) },
      ...(recordAccess ? { recordAccess } : {}),
    }
    const scope = new Scope({
      pool: this.#app,
      limit: (work) => this.#limiter.run(payerId, work),
      ...(recordAccess
        ? { binding: this.#limitedBinding(orgId, accessSetting(actor)), prepared: this.#limitedPrepared }
        : { binding: this.#binding('crosswalk_app', orgId), prepared: this.#appPrepared }),
      // Without an organization, the migrating role would reach every org.
      harmlessUnbound: this.#options.roles === 'login',
    })
    return new Org(actor, scope)
  }

  /** The scope that crosses orgs. Only authentication, jobs and operator commands use it; see `system.ts`. */
  systemScope(): Scope {
    return new Scope({
      pool: this.#system,
      binding: this.#binding('crosswalk_system', ''),
      prepared: this.#systemPrepared,
      harmlessUnbound: false,
    })
  }

  /**
   * Transactions of crosswalk_app without an organization: row-level security hides every row and refuses every write
   * until a statement sets `app.org_id` for its transaction. Only commits for many organizations at once use them.
   */
  unbound(): Pick<Scope, 'transact' | 'runTogether'> {
    return new Scope({
      pool: this.#app,
      binding: this.#binding('crosswalk_app', ''),
      prepared: this.#appPrepared,
      harmlessUnbound: this.#options.roles === 'login',
    })
  }

  /**
   * Whether the database answers within `timeoutMs`, or answered in the last second. Concurrent callers share one
   * query.
   */
  async answers(timeoutMs: number): Promise<boolean> {
    if (!this.#asked || performance.now() - this.#asked.at > answerAgeMs) this.#asked = this.#ask()
    return inTime(timeoutMs, this.#asked.answer).then(
      () => true,
      () => false,
    )
  }

  #ask(): TimedAnswer {
    const asked = {
      at: performance.now(),
      answer: this.systemScope().readRows(sql`select 1`),
    }
    // After a failure, the next caller queries again, because the database may have recovered.
    asked.answer.catch(() => {
      if (this.#asked === asked) this.#asked = null
    })
    return asked
  }

  /** The configuration to connect as `role`. If the roles cannot log in, it connects as the migrating role. */
  connectionFor(role: RoleName, limits?: SessionLimits): Connection {
    const { url, rootKey, roles } = this.#options
    return roles === 'login' ? roleConfig(url, rootKey, role, limits) : connectionConfig(url, limits)
  }

  /** The numbers of open connections, of idle connections, and of requests that wait for a connection. */
  gauges(): { open: number; idle: number; waiting: number } {
    return { open: this.#app.totalCount, idle: this.#app.idleCount, waiting: this.#app.waitingCount }
  }

  /**
   * Closes all connections. If a statement still runs after 500 ms, its connection is cut and its transaction
   * rolls back.
   */
  async close(): Promise<void> {
    const cut = setTimeout(() => {
      for (const client of this.#clients) streamOf(client).destroy()
    }, closeGraceMs)
    await Promise.all([this.#app.end(), this.#system.end()])
    clearTimeout(cut)
    this.#ignoreSilence()
  }

  #pool(role: RoleName, max: number): Pool {
    const config: PoolConfig = {
      ...this.connectionFor(role, {
        statement_timeout: this.#statementTimeoutMs,
        lock_timeout: 10_000,
        idle_in_transaction_session_timeout: 60_000,
      }),
      application_name: role,
      max,
      min: 1,
      pipeline: true,
      connectionTimeoutMillis: this.#options.connectionWaitMs ?? 5_000,
      idleTimeoutMillis: 30_000,
      keepAlive: true,
    }
    const pool = new Pool(config)
    // The pool handles only errors of idle clients. Without this listener, a connection that breaks between two
    // statements would end the process.
    pool.on('connect', (client) => client.on('error', () => {}))
    pool.on('connect', (client) => this.#clients.add(client))
    pool.on('remove', (client) => this.#clients.delete(client))
    pool.on('error', (error) =>
      this.#options.log.warn({ err: error, role }, 'an idle database connection broke'),
    )
    return pool
  }

  #binding(role: RoleName, orgId: string): Binding {
    // `where … is null` returns no row, which costs less.
    const text =
      this.#options.roles === 'login'
        ? `select where set_config('app.org_id', $1, true) is null`
        : `select where set_config('role', '${role}', true) is null or set_config('app.org_id', $1, true) is null`
    return { name: 'binding', text, values: [orgId] }
  }

  /** The binding of a member whose access to records is limited. Row-level security reads the setting. */
  #limitedBinding(orgId: string, access: string): Binding {
    const { text } = this.#binding('crosswalk_app', orgId)
    return {
      name: 'limited binding',
      text: `${text} or set_config('app.record_access', $2, true) is null`,
      values: [orgId, access],
    }
  }
}
