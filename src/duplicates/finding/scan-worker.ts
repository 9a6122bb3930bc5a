import { type ResourceLimits, Worker } from 'node:worker_threads'
import type { EntityType } from '../entities.ts'

/** What a scan's thread is made with. */
export type Given = {
  entityType: EntityType
  /** Bits: pairs that weigh less are not looked at, unless they share what belongs to one alone. */
  floor: number
  threads: number
}

/** What it is asked: to take a page of records (JSON), or to say what it found, with pairs that belong together anyway. */
export type Asked = { page: string } | { together: [string, string][] }

/** Groups of ids that may be the same within each group, and how many pairs were compared to find them. */
export type Found = { groups: string[][]; pairs: number }

/** What it tells: how many records a page had; the share (0 to 1) of the pairs that is compared; what it found. */
export type Told = { read: number } | { share: number } | Found

/** Finds which records may be the same. */
export type Finder = {
  /** Records that it has taken so far. */
  readonly read: number
  /** The share (0 to 1) of the pairs that is compared. */
  readonly share: number
  /** Takes a page of records, in the order of their ids; waits while it has enough. */
  add(page: string): Promise<void>
  /** What it found. @param together pairs of ids that belong together anyway @param onShare told how far it is */
  finish(together: [string, string][], onShare: () => Promise<void>): Promise<Found>
  /** Ends it, whatever it does. */
  close(): Promise<void>
}

const pagesInFlight = 2

/**
 * What lives for long is outside of the heap: young objects need no room to grow old in. Old ones never come near their
 * limit, but V8 lets a heap grow less between two sweeps the lower that is.
 */
export const threadLimits: ResourceLimits = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 512 }

/** A thread that finds which records may be the same, with compact memory, while this one goes on with its requests. */
export class ScanWorker implements Finder {
  readonly #thread: Worker
  readonly #ended = Promise.withResolvers<never>()
  #inFlight = 0
  #told = Promise.withResolvers<void>()
  #found: Found | null = null
  #read = 0
  #share = 0

  constructor(given: Given, signal: AbortSignal) {
    this.#thread = new Worker(new URL('./scan-thread.ts', import.meta.url), {
      workerData: given,
      resourceLimits: threadLimits,
    })
    this.#ended.promise.catch(() => {})
    this.#thread.on('error', (error) => this.#ended.reject(error))
    this.#thread.on('exit', () => this.#ended.reject(new Error('The thread of a scan ended early')))
    this.#thread.on('message', (told: Told) => {
      if ('read' in told) {
        this.#read += told.read
        this.#inFlight--
      } else if ('share' in told) this.#share = told.share
      else this.#found = told
      this.#told.resolve()
      this.#told = Promise.withResolvers()
    })
    signal.addEventListener('abort', () => this.#ended.reject(signal.reason), { once: true })
  }

  get read(): number {
    return this.#read
  }

  get share(): number {
    return this.#share
  }

  async add(page: string): Promise<void> {
    while (this.#inFlight >= pagesInFlight) await this.#next()
    this.#inFlight++
    this.#thread.postMessage({ page } satisfies Asked)
  }

  async finish(together: [string, string][], onShare: () => Promise<void>): Promise<Found> {
    this.#thread.postMessage({ together } satisfies Asked)
    while (!this.#found) {
      await this.#next()
      await onShare()
    }
    return this.#found
  }

  async close(): Promise<void> {
    this.#thread.removeAllListeners('exit')
    await this.#thread.terminate()
  }

  /** Returns when it tells something. @throws what broke it off */
  async #next(): Promise<void> {
    await Promise.race([this.#told.promise, this.#ended.promise])
  }
}
