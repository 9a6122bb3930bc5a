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
 * Caches keys by the hash of their token. Entries are valid while this process receives notifications of changes
 * (NOTIFY, in the order of commits). A heartbeat on the listening connection proves this twice a second. After
 * `trustedMs` without a heartbeat, no key is answered from memory. So a deleted key stops working within 2 seconds,
 * whatever happens to the connection.
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

  /** Returns the key of a token hash (binary string) if the cache is currently valid, else undefined. */
  peek(tokenHash: string): KnownKey | undefined {
    return performance.now() - this.#provenAt < trustedMs ? this.#keys.get(tokenHash) : undefined
  }

  /** True if a lookup of this token hash is in progress, or if the last one found a key. */
  expects(tokenHash: string): boolean {
    return this.#keys.has(tokenHash) || this.#loading.has(tokenHash)
  }

  /** Reads the key of a token hash from the database. Returns null if there is none. */
  load(tokenHash: string): Promise<KnownKey | null> {
    const sinceMs = performance.now()
    const underWay = this.#loading.get(tokenHash)
    // Do not join an old lookup: the database may have been slow, and the result may be out of date.
    if (underWay && sinceMs - underWay.sinceMs < joinedMs) return underWay.key
    const key = this.#load(tokenHash).finally(() => {
      if (this.#loading.get(tokenHash) === loading) this.#loading.delete(tokenHash)
    })
    const loading = { key, sinceMs }
    this.#loading.set(tokenHash, loading)
    return key
  }

  /** Removes every key that an org has or pays for, and forgets lookups in progress. */
  forget(orgId: string): void {
    this.#generation++
    this.#loading.clear()
    for (const tokenHash of [...(this.#hashesByOrg.get(orgId) ?? [])]) this.#forgetKey(tokenHash)
  }

  /** Starts to listen for changes. Until the first heartbeat, every lookup asks the database. */
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
    // Do not cache a result if a change was announced during the lookup. Do not cache a key whose org is gone:
    // restoring an org sends no notification.
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
      // If the connection ended in the meantime, `#listener` is null.
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
    // Changes are unknown while nobody listened.
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

/** The orgs whose changes affect a key: its own org, and the org whose rate ceilings it uses. */
const orgsOf = ({ orgId, payer: { ceilingsOrgId } }: KnownKey) =>
  ceilingsOrgId === orgId ? [orgId] : [orgId, ceilingsOrgId]

/** Behind a connection pooler, a heartbeat may be answered by another backend than the one that ran LISTEN. */
async function requireOwnBackend(client: Client): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  if (rows[0]?.pid !== (client as Client & { processID?: number }).processID) {
    throw new Error('DATABASE_URL names a connection pooler; set it to the address of PostgreSQL itself')
  }
}
