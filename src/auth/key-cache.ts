import { Client, type ClientConfig } from 'pg'
import { inTime } from '../platform/busy-thread.ts'
import type { SystemScope } from '../platform/db/system.ts'
import type { Log } from '../platform/log.ts'
import { findKnownKey, type KnownKey } from './known-keys.ts'

const heartbeatMs = 500
const trustedMs = 1_900
const answerWithinMs = 1_500
const listenWithinMs = 5_000
const joinedMs = 500
const keysMax = 50_000

/**
 * Keys by the hash of their token. Entries hold as long as this process hears of changes (NOTIFY, in the order of
 * commits): a heartbeat on the listening connection proves it twice a second, and without one for `trustedMs` nothing is
 * answered from memory. So a deleted key is dead within 2 seconds, whatever happens to the connection.
 */
export class KeyCache {
  readonly #keys = new Map<string, KnownKey>()
  readonly #hashesByOrg = new Map<string, Set<string>>()
  readonly #loading = new Map<string, { key: Promise<KnownKey | null>; sinceMs: number }>()
  readonly #scope: SystemScope
  readonly #connection: ClientConfig
  readonly #log: Log
  #provenAt = Number.NEGATIVE_INFINITY
  #generation = 0
  #listener: Client | null = null
  #hears = true
  #timer: NodeJS.Timeout | null = null
  #closed = false

  constructor(scope: SystemScope, connection: ClientConfig, log: Log) {
    this.#scope = scope
    this.#connection = connection
    this.#log = log
  }

  /** The key of this token hash (binary string) if it is known for sure right now, else undefined. */
  peek(tokenHash: string): KnownKey | undefined {
    return performance.now() - this.#provenAt < trustedMs ? this.#keys.get(tokenHash) : undefined
  }

  /** True if a look-up of this token hash is under way, or found a key the last time. */
  expects(tokenHash: string): boolean {
    return this.#keys.has(tokenHash) || this.#loading.has(tokenHash)
  }

  /** The key of this token hash from the database, or null if there is none. */
  load(tokenHash: string): Promise<KnownKey | null> {
    const sinceMs = performance.now()
    const underWay = this.#loading.get(tokenHash)
    // What a slow database read long ago may no longer hold.
    if (underWay && sinceMs - underWay.sinceMs < joinedMs) return underWay.key
    const key = this.#load(tokenHash).finally(() => {
      if (this.#loading.get(tokenHash) === loading) this.#loading.delete(tokenHash)
    })
    const loading = { key, sinceMs }
    this.#loading.set(tokenHash, loading)
    return key
  }

  /** Drops every key that an org has or pays for, and what is being loaded right now. */
  forget(orgId: string): void {
    this.#generation++
    this.#loading.clear()
    for (const tokenHash of [...(this.#hashesByOrg.get(orgId) ?? [])]) this.#forgetKey(tokenHash)
  }

  /** Starts to listen for changes; until the first heartbeat every look-up asks the database. */
  async start(): Promise<void> {
    await this.#beat()
    this.#schedule()
  }

  async close(): Promise<void> {
    this.#closed = true
    if (this.#timer) clearTimeout(this.#timer)
    await this.#listener?.end().catch(() => {})
  }

  async #load(tokenHash: string): Promise<KnownKey | null> {
    const generation = this.#generation
    const key = await findKnownKey(this.#scope, Buffer.from(tokenHash, 'latin1'))
    // A change that was announced meanwhile may be missing from what was read; of an org put back nobody hears.
    if (key?.org && generation === this.#generation) this.#remember(tokenHash, key)
    return key
  }

  #remember(tokenHash: string, key: KnownKey): void {
    this.#forgetKey(tokenHash)
    for (const eldest of this.#keys.keys()) {
      if (this.#keys.size < keysMax) break
      this.#forgetKey(eldest)
    }
    this.#keys.set(tokenHash, key)
    for (const orgId of orgsOf(key)) {
      const hashes = this.#hashesByOrg.get(orgId)
      if (hashes) hashes.add(tokenHash)
      else this.#hashesByOrg.set(orgId, new Set([tokenHash]))
    }
  }

  #forgetKey(tokenHash: string): void {
    const key = this.#keys.get(tokenHash)
    if (!key) return
    this.#keys.delete(tokenHash)
    for (const orgId of orgsOf(key)) {
      const hashes = this.#hashesByOrg.get(orgId)
      hashes?.delete(tokenHash)
      if (hashes?.size === 0) this.#hashesByOrg.delete(orgId)
    }
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
      // A connection that ended meanwhile is gone from here.
      if (!this.#listener) throw new Error('The connection ended')
      await inTime(answerWithinMs, this.#listener.query('select'))
      this.#provenAt = sentAt
      if (!this.#hears) this.#log.info('listening for changes of keys again')
      this.#hears = true
    } catch (error) {
      if (this.#hears && !this.#closed)
        this.#log.warn({ err: error }, 'not listening for changes of keys; asking the database each time')
      this.#hears = false
      this.#drop()
    }
  }

  async #listen(): Promise<void> {
    const client = new Client({
      ...this.#connection,
      connectionTimeoutMillis: 2_000,
      application_name: 'crosswalk keys',
    })
    client.on('notification', ({ payload }) => payload && this.forget(payload))
    client.on('error', () => {})
    client.on('end', () => this.#listener === client && this.#drop())
    this.#listener = client
    await client.connect()
    await requireOwnBackend(client)
    await client.query('listen crosswalk_auth')
    // What changed while nobody listened is unknown.
    this.#generation++
    this.#loading.clear()
    this.#keys.clear()
    this.#hashesByOrg.clear()
  }

  #drop(): void {
    this.#provenAt = Number.NEGATIVE_INFINITY
    this.#listener?.end().catch(() => {})
    this.#listener = null
  }
}

/** The orgs whose changes affect a key. */
const orgsOf = ({ orgId, payer }: KnownKey) => (payer.orgId === orgId ? [orgId] : [orgId, payer.orgId])

/** Behind a connection pooler, another backend than the one that ran LISTEN may answer a heartbeat. */
async function requireOwnBackend(client: Client): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  if (rows[0]?.pid !== (client as Client & { processID?: number }).processID) {
    throw new Error('DATABASE_URL names a connection pooler; set it to the address of PostgreSQL itself')
  }
}
