import { Batcher } from '../platform/batcher.ts'
import { FairLimiter } from '../platform/db/fair-limiter.ts'
import type { ChangeListener } from './change-listener.ts'

const joinedMs = 500
const credentialsMax = 50_000

/**
 * Strangers at any number of addresses can send tokens without an owner. One statement of one cache at a time asks for all
 * of its tokens that wait: strangers use one connection that crosses organizations, and tokens with an owner do not wait
 * long.
 */
const ofStrangers = new FairLimiter({ max: 1, waitMs: 10_000 })

/** How a cache finds the owner of a token. */
export type Lookup<Known> = {
  /** Reads the owner of a token from the database. Returns null if there is none. */
  find(tokenHash: Buffer): Promise<Known | null>
  /** Reads which of these tokens have an owner, with one statement. */
  findExisting(tokenHashes: readonly Buffer[]): Promise<readonly Buffer[]>
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
  readonly #existing = new Batcher((tokenHashes: readonly string[]) => this.#existingAmong(tokenHashes))
  /** After a start, all tokens are new to the process. Two of them are looked up at once. */
  readonly #ofNew = new FairLimiter({ max: 2, waitMs: 10_000 })
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
   * @throws OrgBusy if the lookup of a token that is new to the process waits too long
   */
  load(tokenHash: string): Promise<Known | null> {
    const sinceMs = performance.now()
    const underWay = this.#loading.get(tokenHash)
    // Do not join an old lookup, whose result may be out of date.
    if (underWay && sinceMs - underWay.sinceMs < joinedMs) return underWay.known
    const found = this.#known.has(tokenHash) ? this.#load(tokenHash) : this.#loadNew(tokenHash)
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

  async #loadNew(tokenHash: string): Promise<Known | null> {
    if (!(await this.#existing.add(tokenHash))) return null
    return this.#ofNew.run('all', () => this.#load(tokenHash))
  }

  async #existingAmong(tokenHashes: readonly string[]): Promise<readonly boolean[]> {
    const asked = tokenHashes.map((each) => Buffer.from(each, 'latin1'))
    const existing = await ofStrangers.run('all', () => this.#lookup.findExisting(asked))
    const found = new Set(existing.map((each) => each.toString('latin1')))
    return tokenHashes.map((each) => found.has(each))
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
