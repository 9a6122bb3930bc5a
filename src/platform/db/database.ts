import { Pool, type PoolClient, type PoolConfig, types } from 'pg'
import type { Actor } from '../actor.ts'
import { inTime } from '../busy-thread.ts'
import type { Caller } from '../caller.ts'
import type { Log } from '../log.ts'
import '../parse-json.ts'
import { expectsOthers } from '../recent-requests.ts'
import { type Connection, connectionConfig, type PooledAddress, type SessionLimits } from './address.ts'
import { Bindings } from './bindings.ts'
import { Connections } from './connections.ts'
import { toUnavailable } from './errors.ts'
import { FairLimiter } from './fair-limiter.ts'
import { accessSetting } from './limited-records.ts'
import { Org } from './org.ts'
import { prepareNothing } from './prepared.ts'
import { type RoleMode, type RoleName, roleConfig } from './roles.ts'
import { Scope, type ScopeOptions } from './scope.ts'
import { breakSilentConnections, streamOf } from './silence.ts'
import { sql } from './sql.ts'
import { parseTextArray, textArrayType } from './text-array.ts'

// Parse bigint as a number: all bigints of Crosswalk (counts, sizes) are below 2^53.
types.setTypeParser(types.builtins.INT8, Number)
// Keep a date as text: a JavaScript Date would add a time zone.
types.setTypeParser(types.builtins.DATE, String)
types.setTypeParser(textArrayType, parseTextArray)

const closeGraceMs = 500
/** Health checks reuse the database's last answer for this time. */
const answerAgeMs = 1_000
// The share of connections that one org may use. The rest stays free for other orgs.
const orgShareMax = 0.75
// The same share while the process also serves other orgs, and for a minute after that. With more transactions of one
// org at once, transactions of other orgs would wait for the processors.
const besideOthersShareMax = 0.25
// A longer transaction is usually an export, or waits for a lock. So it does not count for that share.
const slowMs = 1_000
// The number of connections for members with limited record access, as a share of the connections for all other
// callers. They are opened when needed.
const limitedShare = 0.5

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
  /** The URL that connects as the migrating role, to PostgreSQL itself. The pools connect as three other roles. */
  url: string
  /** The pooler through which the pools connect; null or missing: they use `url`. */
  pooled?: PooledAddress | null
  rootKey: Buffer
  roles: RoleMode
  /** The application_name of the connections that cross organizations; by default their role. */
  systemName?: string
  log: Log
}

type TimedAnswer = { at: number; answer: Promise<unknown> }

/** The author that events name, the records that the author reaches, and the payer (Caller.payerId), whose share of connections is used. */
export type Author = Partial<
  Pick<Actor, 'mode' | 'apiKeyId' | 'memberId' | 'connectedAppId' | 'recordAccess'> & Pick<Caller, 'payerId'>
>

/**
 * The connections of one process. One pool runs transactions that each belong to one org. A smaller pool runs the
 * transactions of members with limited record access: PostgreSQL would plan a prepared statement again after each change
 * of the role.
 * A small pool runs work across orgs.
 */
export class Database {
  readonly #options: DatabaseOptions
  readonly #app: Connections
  readonly #limited: Connections
  readonly #system: Connections
  readonly #limiter: FairLimiter
  readonly #limitedLimiter: FairLimiter
  readonly #clients = new Set<PoolClient>()
  readonly #bindings: Bindings
  readonly #limits: Required<SessionLimits>
  readonly #ignoreSilence: () => void
  #asked: TimedAnswer | null = null
  #isClosing = false

  constructor(options: DatabaseOptions) {
    this.#options = options
    const statementTimeoutMs = options.statementTimeoutMs ?? 15_000
    this.#limits = {
      statement_timeout: statementTimeoutMs,
      lock_timeout: 10_000,
      idle_in_transaction_session_timeout: 60_000,
      // With parallel workers, one statement would use several cores, and the limits count statements.
      max_parallel_workers_per_gather: 0,
    }
    this.#bindings = new Bindings(options.roles, this.#keepsSessions ? null : this.#limits)
    this.#ignoreSilence = breakSilentConnections(this.#clients, statementTimeoutMs * 1.2)
    const appConnections = options.appConnections ?? 16
    this.#app = this.#connections('crosswalk_app', appConnections)
    this.#limiter = this.#limiterOf(appConnections)
    const limitedConnections = Math.max(2, Math.ceil(appConnections * limitedShare))
    this.#limited = this.#connections('crosswalk_limited', limitedConnections, 0)
    this.#limitedLimiter = this.#limiterOf(limitedConnections)
    this.#system = this.#connections('crosswalk_system', options.systemConnections ?? 4)
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
    const limiter = recordAccess ? this.#limitedLimiter : this.#limiter
    const scope = new Scope({
      limit: (work) => limiter.run(payerId, work),
      ...(recordAccess
        ? {
            connections: this.#limited,
            binding: this.#bindings.ofLimited(orgId, accessSetting(actor)),
          }
        : {
            connections: this.#app,
            binding: this.#bindings.of('crosswalk_app', orgId),
          }),
      // Without an organization, the migrating role would reach every org.
      harmlessUnbound: this.#options.roles === 'login',
    })
    return new Org(actor, scope, { payerId })
  }

  /** The scope that crosses orgs. Only authentication, jobs and operator commands use it; see `system.ts`. */
  systemScope(limit?: ScopeOptions['limit']): Scope {
    return new Scope({
      ...(limit ? { limit } : {}),
      connections: this.#system,
      binding: this.#bindings.of('crosswalk_system', ''),
      harmlessUnbound: false,
    })
  }

  /**
   * Transactions of crosswalk_app without an organization: row-level security hides every row and refuses every write
   * until a statement sets `app.org_id` for its transaction. Only commits for many organizations at once use them.
   */
  unbound(): Pick<Scope, 'transact' | 'runTogether'> {
    return new Scope({
      connections: this.#app,
      binding: this.#bindings.of('crosswalk_app', ''),
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

  /** The configuration to connect to PostgreSQL itself as `role`, for work that needs a session of its own. */
  connectionFor(role: RoleName): Connection {
    return this.#connection(this.#options.url, role)
  }

  /** If the roles cannot log in, it connects as the migrating role. */
  #connection(url: string, role: RoleName, limits?: SessionLimits | null): Connection {
    const { rootKey, roles } = this.#options
    return roles === 'login' ? roleConfig(url, rootKey, role, limits) : connectionConfig(url, limits)
  }

  /** Whether a connection of the pools keeps its session. Otherwise each transaction sets its limits. */
  get #keepsSessions(): boolean {
    return this.#options.pooled?.mode !== 'transaction'
  }

  /** The numbers of open connections, of idle connections, and of requests that wait for a connection. */
  gauges(): { open: number; idle: number; waiting: number } {
    const [app, limited] = [this.#app.counts, this.#limited.counts]
    return {
      open: app.open + limited.open,
      idle: app.idle + limited.idle,
      waiting: app.waiting + limited.waiting,
    }
  }

  /**
   * Closes all connections. If a statement still runs after 500 ms, its connection is cut and its transaction
   * rolls back.
   */
  async close(): Promise<void> {
    this.#isClosing = true
    const cut = setTimeout(() => {
      for (const client of this.#clients) streamOf(client).destroy()
    }, closeGraceMs)
    await Promise.all([this.#app, this.#limited, this.#system].map((connections) => connections.end()))
    clearTimeout(cut)
    this.#ignoreSilence()
  }

  #limiterOf(total: number): FairLimiter {
    const { connectionWaitMs: waitMs = 5_000 } = this.#options
    return new FairLimiter({
      max: Math.ceil(total * orgShareMax),
      maxBesideOthers: Math.max(2, Math.ceil(total * besideOthersShareMax)),
      slowMs,
      servesOthers: expectsOthers,
      waitMs,
      total,
    })
  }

  #connections(role: RoleName, max: number, min = 1): Connections {
    const { url, pooled, connectionWaitMs = 5_000 } = this.#options
    const config: PoolConfig = {
      ...this.#connection(pooled?.url ?? url, role, this.#keepsSessions ? this.#limits : null),
      application_name: role === 'crosswalk_system' ? (this.#options.systemName ?? role) : role,
      max,
      min,
      pipeline: true,
      connectionTimeoutMillis: connectionWaitMs,
      idleTimeoutMillis: 30_000,
      keepAlive: true,
    }
    const pool = new Pool(config)
    // The pool handles only errors of idle clients. Without this listener, a connection that breaks between two
    // statements would end the process.
    pool.on('connect', (client) => client.on('error', () => {}))
    pool.on('connect', (client) => this.#clients.add(client))
    if (!this.#keepsSessions) pool.on('connect', prepareNothing)
    pool.on('remove', (client) => this.#clients.delete(client))
    pool.on('error', (error) => {
      // The embedded PostgreSQL can end a connection that is about to close.
      if (this.#isClosing) return
      this.#options.log.warn({ err: toUnavailable(error), role }, 'an idle database connection broke')
    })
    return new Connections(pool, connectionWaitMs)
  }
}
