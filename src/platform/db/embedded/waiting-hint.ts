import type { EmbeddedLog } from './log.ts'

// A healthy PostgreSQL that starts or stops takes less time. A hung one does not even refuse a session.
const patienceMs = 3_000

/** Tells the operator once that a start waits for an earlier PostgreSQL. */
export class WaitingHint {
  readonly #log: EmbeddedLog
  readonly #dir: string
  #timer: NodeJS.Timeout | undefined

  constructor(log: EmbeddedLog, dir: string) {
    this.#log = log
    this.#dir = dir
  }

  /** Logs the hint in a moment, unless `clear` is called before. */
  waitFor(pid: number | undefined): void {
    this.#timer ??= setTimeout(() => this.#log.info({ dir: this.#dir, pid }, message), patienceMs)
  }

  clear(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}

const message = 'an earlier PostgreSQL of this data folder has not ended or not started yet; waiting for it'
