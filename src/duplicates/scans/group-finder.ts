import { Worker } from 'node:worker_threads'
import { type FoundGroups, type GrouperOptions, RecordGrouper } from './record-grouper.ts'
import { threadLimits } from './threads.ts'

/** A page of records as JSON or, after the last page, the pairs that must share a group. */
export type FinderRequest = { page: string } | { together: [string, string][] }

/** The number of records read, the share of compared pairs (0 to 1), or the result. */
export type FinderReply = { read: number } | { share: number } | FoundGroups

export type GroupFinder = {
  /** How many records were added. */
  readonly read: number
  /** The share (0 to 1) of compared pairs. */
  readonly share: number
  /** Adds a page of records, in id order. Waits while an earlier page is being read. */
  add(page: string): Promise<void>
  /**
   * @param together pairs of ids that must share a group
   * @param onShare called on progress
   */
  finish(together: [string, string][], onShare: () => Promise<void>): Promise<FoundGroups>
  close(): Promise<void>
}

/** Works on the calling thread: for few records, starting a thread would take longer. */
export class InlineGroupFinder implements GroupFinder {
  readonly #grouper: RecordGrouper
  read = 0
  readonly share = 0

  constructor(options: GrouperOptions) {
    this.#grouper = new RecordGrouper({ ...options, threads: 1 })
  }

  async add(page: string): Promise<void> {
    this.read += this.#grouper.add(page)
  }

  finish(together: [string, string][]): Promise<FoundGroups> {
    return this.#grouper.finish(together, () => {})
  }

  async close(): Promise<void> {}
}

const pagesInFlight = 2

/** Works on another thread, so that the calling thread can answer requests. */
export class ThreadGroupFinder implements GroupFinder {
  readonly #thread: Worker
  readonly #ended = Promise.withResolvers<never>()
  #inFlight = 0
  #replied = Promise.withResolvers<void>()
  #found: FoundGroups | null = null
  #read = 0
  #share = 0

  constructor(options: GrouperOptions, signal: AbortSignal) {
    this.#thread = new Worker(new URL('./scan-thread.ts', import.meta.url), {
      workerData: options,
      resourceLimits: threadLimits,
    })
    this.#ended.promise.catch(() => {})
    this.#thread.on('error', (error) => this.#ended.reject(error))
    this.#thread.on('exit', () => this.#ended.reject(new Error('The thread of a scan ended early')))
    this.#thread.on('message', (reply: FinderReply) => {
      if ('read' in reply) {
        this.#read += reply.read
        this.#inFlight--
      } else if ('share' in reply) this.#share = reply.share
      else this.#found = reply
      this.#replied.resolve()
      this.#replied = Promise.withResolvers()
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
    while (this.#inFlight >= pagesInFlight) await this.#nextReply()
    this.#inFlight++
    this.#thread.postMessage({ page } satisfies FinderRequest)
  }

  async finish(together: [string, string][], onShare: () => Promise<void>): Promise<FoundGroups> {
    this.#thread.postMessage({ together } satisfies FinderRequest)
    while (!this.#found) {
      await this.#nextReply()
      await onShare()
    }
    return this.#found
  }

  async close(): Promise<void> {
    this.#thread.removeAllListeners('exit')
    await this.#thread.terminate()
  }

  /** @throws the error that ended the thread, or the reason of the abort */
  async #nextReply(): Promise<void> {
    await Promise.race([this.#replied.promise, this.#ended.promise])
  }
}
