import { FairLimiter } from '../platform/db/fair-limiter.ts'
import type { ChangeListener } from './change-listener.ts'

const joinedMs = 500
const credentialsMax = 50_000

/** How a cache finds the owner of a token. */
export type Lookup<Known> = {
  /** Reads the owner of a token from the database. Returns null if there is none. */
  find(tokenHash: Buffer): Promise<Known | null>
  /** The topics whose changes concern an owner: ids of orgs, and `member:<id>`. */
  topicsOf(known: Known): readonly string[]
  /** False if changes of this owner are not announced. Then the owner must not be cached. */
  isCacheable(known: Known): boolean
}

/** Caches API keys or sessions by the hash of their token, while the listener receives changes. */
export class CredentialCache<Known> {
  readonly #known = new Map<string, Known>()
  readonly #hashesByTopic = new Map<string, Set<string>>()
  readonly #loading = new Map<string, { known: Promise<Known | null>; sinceMs: number }>()
  readonly #lookup: Lookup<Known>
  readonly #listener: ChangeListener
  /**
   * Strangers at any number of addresses can send unknown tokens. Two lookups of such tokens run at once, so that they
   * do not use all connections that cross organizations.
   */
  readonly #ofUnknown = new FairLimiter({ max: 2, waitMs: 10_000 })
  #generation = 0

  constructor(lookup: Lookup<Known>, listener: ChangeListener) {
    this.#lookup = lookup
    this.#listener = listener
    listener.add(this)
  }

  /** Returns the owner of a token hash (binary string) if the cache is currently valid, else undefined. */
  peek(tokenHash: string): Known | undefined {
    return this.#listener.isProven() ? this.#known.get(tokenHash) : undefined
  }

  /** Whether a lookup of this token hash is running, or the last one found an owner. */
  expects(tokenHash: string): boolean {
    return this.#known.has(tokenHash) || this.#loading.has(tokenHash)
  }

  /**
   * Reads the owner of a token hash from the database. Returns null if there is none.
   * @throws OrgBusy if the lookup of an unknown token waits too long
   */
  load(tokenHash: string): Promise<Known | null> {
    const sinceMs = performance.now()
    const underWay = this.#loading.get(tokenHash)
    // Do not join an old lookup, whose result may be out of date.
    if (underWay && sinceMs - underWay.sinceMs < joinedMs) return underWay.known
    const find = () => this.#load(tokenHash)
    const found = this.#known.has(tokenHash) ? find() : this.#ofUnknown.run('all', find)
    const known = found.finally(() => {
      if (this.#loading.get(tokenHash) === loading) this.#loading.delete(tokenHash)
    })
    const loading = { known, sinceMs }
    this.#loading.set(tokenHash, loading)
    return known
  }

  /** Removes the owners that a change concerns, and forgets running lookups. */
  forget(topic: string): void {
    this.#generation++
    this.#loading.clear()
    for (const tokenHash of [...(this.#hashesByTopic.get(topic) ?? [])]) this.#remove(tokenHash)
  }

  clear(): void {
    this.#generation++
    this.#loading.clear()
    this.#known.clear()
    this.#hashesByTopic.clear()
  }

  async #load(tokenHash: string): Promise<Known | null> {
    const generation = this.#generation
    const known = await this.#lookup.find(Buffer.from(tokenHash, 'latin1'))
    // Do not cache the result if a change was announced during the lookup.
    if (known && this.#lookup.isCacheable(known) && generation === this.#generation)
      this.#remember(tokenHash, known)
    return known
  }

  #remember(tokenHash: string, known: Known): void {
    this.#remove(tokenHash)
    for (const eldest of this.#known.keys()) {
      if (this.#known.size < credentialsMax) break
      this.#remove(eldest)
    }
    this.#known.set(tokenHash, known)
    for (const topic of this.#lookup.topicsOf(known)) {
      const hashes = this.#hashesByTopic.get(topic)
      if (hashes) hashes.add(tokenHash)
      else this.#hashesByTopic.set(topic, new Set([tokenHash]))
    }
  }

  #remove(tokenHash: string): void {
    const known = this.#known.get(tokenHash)
    if (!known) return
    this.#known.delete(tokenHash)
    for (const topic of this.#lookup.topicsOf(known)) {
      const hashes = this.#hashesByTopic.get(topic)
      hashes?.delete(tokenHash)
      if (hashes?.size === 0) this.#hashesByTopic.delete(topic)
    }
  }
}
