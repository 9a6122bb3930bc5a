import { Client } from 'pg'
import { inTime } from '../platform/busy-thread.ts'
import type { Connection } from '../platform/db/address.ts'
import type { Log } from '../platform/log.ts'
import { reasonOf } from '../platform/report.ts'

const heartbeatMs = 500
const trustedMs = 1_900
const answerWithinMs = 1_500
const listenWithinMs = 5_000

/** A cache that the listener keeps up to date. */
export type ChangeSubscriber = {
  /** Drops what depends on a changed topic: the id of an org, or `member:<id>`. */
  forget(topic: string): void
  /** Drops everything, because the listener may have missed changes. */
  clear(): void
}

/**
 * Listens for changes of keys, sessions and roles (NOTIFY, in the order of commits). Twice a second, a heartbeat on
 * the same connection proves that changes arrive. After `trustedMs` without a heartbeat, caches must not answer. So a
 * deleted key stops working within 2 seconds, even if the connection breaks.
 */
export class ChangeListener {
  readonly #connection: Connection
  readonly #log: Log
  readonly #subscribers: ChangeSubscriber[] = []
  #provenAt = Number.NEGATIVE_INFINITY
  #listener: Client | null = null
  #isListening = true
  #timer: NodeJS.Timeout | null = null
  #closed = false

  constructor(connection: Connection, log: Log) {
    this.#connection = connection
    this.#log = log
  }

  /** True if the listener cannot have missed a change. */
  isProven(): boolean {
    return performance.now() - this.#provenAt < trustedMs
  }

  /** Adds a cache to notify of changes. */
  add(subscriber: ChangeSubscriber): void {
    this.#subscribers.push(subscriber)
  }

  /** Starts to listen. Until the first heartbeat, every lookup asks the database. */
  async start(): Promise<void> {
    await this.#beat()
    this.#schedule()
  }

  async close(): Promise<void> {
    this.#closed = true
    if (this.#timer) clearTimeout(this.#timer)
    await this.#listener?.end().catch(() => {})
  }

  #schedule(): void {
    if (this.#closed) return
    this.#timer = setTimeout(() => this.#beat().finally(() => this.#schedule()), heartbeatMs)
    this.#timer.unref()
  }

  async #beat(): Promise<void> {
    const sentAt = performance.now()
    try {
      if (!this.#listener) await inTime(listenWithinMs, this.#listen())
      // `#listener` is null if the connection has ended in the meantime.
      if (!this.#listener) throw new Error('The connection ended')
      await inTime(answerWithinMs, this.#listener.query('select'))
      this.#provenAt = sentAt
      if (!this.#isListening) this.#log.info('listening for changes of keys again')
      this.#isListening = true
    } catch (error) {
      if (this.#isListening && !this.#closed)
        this.#log.warn(
          { reason: reasonOf(error) },
          'not listening for changes of keys; asking the database each time',
        )
      this.#isListening = false
      this.#drop()
    }
  }

  async #listen(): Promise<void> {
    const client = new Client({
      ...this.#connection,
      connectionTimeoutMillis: 2_000,
      application_name: 'crosswalk keys',
    })
    client.on('notification', ({ payload }) => {
      if (payload) for (const subscriber of this.#subscribers) subscriber.forget(payload)
    })
    client.on('error', () => {})
    client.on('end', () => this.#listener === client && this.#drop())
    this.#listener = client
    await client.connect()
    await this.#connection.onConnect(client)
    await requireOwnBackend(client)
    await client.query('listen crosswalk_auth')
    // Changes during the pause are unknown, so clear the caches.
    for (const subscriber of this.#subscribers) subscriber.clear()
  }

  #drop(): void {
    this.#provenAt = Number.NEGATIVE_INFINITY
    this.#listener?.end().catch(() => {})
    this.#listener = null
  }
}

/**
 * Requires that one backend runs all statements: behind a connection pooler, the heartbeat could be answered by a
 * backend that does not listen.
 */
async function requireOwnBackend(client: Client): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  if (rows[0]?.pid !== (client as Client & { processID?: number }).processID) {
    throw new Error(
      'A connection pooler answers: set DIRECT_DATABASE_URL to the address of PostgreSQL itself',
    )
  }
}
