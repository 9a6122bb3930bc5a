import { Batcher } from '../platform/batcher.ts'
import { FairLimiter } from '../platform/db/fair-limiter.ts'
import type { ChangeListener } from './change-listener.ts'

const joinedMs = 500
/** The maximum weight of all owners in a cache. */
const weightMax = 50_000

/**
 * How many tokens that are new to the process one statement looks up. Strangers at any number of addresses can send tokens
 * without an owner, and an organization can have thousands of keys: with one statement for each, other new tokens would wait
 * for seconds.
 */
const togetherMax = 100
/** One such statement of all caches runs at a time, so that it uses one of the connections that cross organizations. */
const ofNew = new FairLimiter({ max: 1, waitMs: 10_000 })

/** How a cache finds the owners of tokens. */
export type Lookup<Known> = {
  /** Reads the owners of these token hashes (binary strings) from the database, with one statement. Omits unknown tokens. */
  find(tokenHashes: readonly string[]): Promise<ReadonlyMap<string, Known>>
  /** The topics whose changes concern an owner: ids of orgs, and `member:<id>`. */
  topicsOf(known: Known): readonly string[]
  /** False if changes of this owner are not announced. Then the owner must not be cached. */
  isCacheable(known: Known): boolean
  /** How many times as much memory an owner needs as usual, which is about 1 KB; by default 1. */
  weightOf?(known: Known): number
}

/** Token hashes as PostgreSQL stores them. */
export const bytesOf = (tokenHashes: readonly string[]): Buffer[] =>
  tokenHashes.map((each) => Buffer.from(each, 'latin1'))

/** Caches API keys or sessions by the hash of their token, while the listener receives changes. */
export class CredentialCache<Known> {
  readonly #known = new Map<string, Known>()
  readonly #hashesByTopic = new Map<string, Set<string>>()
  readonly #loading = new Map<string, { known: Promise<Known | null>; sinceMs: number }>()
  readonly #lookup: Lookup<Known>
  readonly #listener: ChangeListener
  readonly #new = new Batcher(
    (tokenHashes: readonly string[]) => ofNew.run('all', () => this.#find(tokenHashes)),
    togetherMax,
  )
  #generation = 0
  /** The weight of all owners in the cache. */
  #weight = 0

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
    const found = this.#known.has(tokenHash) ? this.#findOne(tokenHash) : this.#new.add(tokenHash)
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
    this.#weight = 0
    this.#known.clear()
    this.#hashesByTopic.clear()
  }

  async #findOne(tokenHash: string): Promise<Known | null> {
    const [known] = await this.#find([tokenHash])
    return known ?? null
  }

  /** Returns the owner of each token; null if there is none. */
  async #find(tokenHashes: readonly string[]): Promise<(Known | null)[]> {
    const generation = this.#generation
    const found = await this.#lookup.find(tokenHashes)
    // Do not cache the results if a change was announced during the lookup.
    if (generation === this.#generation)
      for (const [tokenHash, known] of found)
        if (this.#lookup.isCacheable(known)) this.#remember(tokenHash, known)
    return tokenHashes.map((each) => found.get(each) ?? null)
  }

  #remember(tokenHash: string, known: Known): void {
    this.#remove(tokenHash)
    this.#weight += this.#weightOf(known)
    for (const eldest of this.#known.keys()) {
      if (this.#weight <= weightMax) break
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
    this.#weight -= this.#weightOf(known)
    for (const topic of this.#lookup.topicsOf(known)) {
      const hashes = this.#hashesByTopic.get(topic)
      hashes?.delete(tokenHash)
      if (hashes?.size === 0) this.#hashesByTopic.delete(topic)
    }
  }

  #weightOf(known: Known): number {
    return this.#lookup.weightOf?.(known) ?? 1
  }
}
