import { tooMany } from '../../platform/domain-error.ts'

const defaults = {
  /** Each export uses one of the 16 connections of the process, and keeps a snapshot open. */
  runningMax: 4,
  waitingMax: 32,
  waitMs: 20_000,
}

/** The minimum rate of a client while other exports wait, in bytes per millisecond: 1 MiB/s. */
const bytesPerMs = 1_048.576
/** An export can end if its client is this far behind the minimum rate, in milliseconds. */
const lagMaxMs = 10_000

const checkEveryMs = 1_000

/** A running export. It measures how slowly the client reads. */
export class RunningExport {
  readonly #ended = new AbortController()
  #lagMs = 0
  #sentAt: number | null = null

  /** Aborts if the export must end, because its client reads slowly and others wait. */
  get signal(): AbortSignal {
    return this.#ended.signal
  }

  /** Call it when a piece is sent. */
  sent(): void {
    this.#sentAt = performance.now()
  }

  /** Call it when the client has read a piece. */
  read(bytes: number): void {
    this.#lagMs = Math.max(0, this.lagMs - bytes / bytesPerMs)
    this.#sentAt = null
  }

  /** How long the client is behind the minimum rate, in milliseconds. PostgreSQL's working time does not count. */
  get lagMs(): number {
    return this.#lagMs + (this.#sentAt === null ? 0 : performance.now() - this.#sentAt)
  }

  /** Ends the export, so that another one can begin. */
  end(): void {
    this.#ended.abort(new Error('The client reads slowly, and other organizations wait for an export'))
  }
}

type Waiting = { owner: string; begin: () => void }

/** Limits the exports that run at once in a process. Each owner has at most one export. Exports of other owners wait in order. */
export class ExportLimiter {
  readonly #limits: typeof defaults
  readonly #running = new Map<string, RunningExport>()
  readonly #waiting: Waiting[] = []
  #checks: NodeJS.Timeout | undefined

  constructor(limits: Partial<typeof defaults> = {}) {
    this.#limits = { ...defaults, ...limits }
  }

  /**
   * Waits until the export may run. Call `release` when it has ended.
   * @param owner `payerId` of the caller, whose limits the request uses
   * @throws DomainError too_many if the owner has an export already, or waits too long
   */
  async begin(owner: string, running: RunningExport): Promise<void> {
    const { runningMax, waitingMax } = this.#limits
    if (this.#running.has(owner) || this.#waiting.some((each) => each.owner === owner))
      throw refused('An export of this organization runs or waits already')
    if (this.#running.size < runningMax) this.#running.set(owner, running)
    else if (this.#waiting.length < waitingMax) await this.#wait(owner, running)
    else throw this.#full()
  }

  /** Ends the turn of an owner, and begins the export that has waited longest. */
  release(owner: string): void {
    this.#running.delete(owner)
    this.#waiting.shift()?.begin()
    if (this.#waiting.length === 0) this.#stopChecks()
  }

  #full() {
    return refused(`${this.#limits.runningMax} exports run already in this process`)
  }

  #wait(owner: string, running: RunningExport): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        owner,
        begin: () => {
          clearTimeout(timer)
          this.#running.set(owner, running)
          resolve()
        },
      }
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
        if (this.#waiting.length === 0) this.#stopChecks()
        reject(this.#full())
      }, this.#limits.waitMs)
      this.#waiting.push(waiting)
      this.#checks ??= setInterval(() => this.#endSlowest(), checkEveryMs)
    })
  }

  #stopChecks(): void {
    clearInterval(this.#checks)
    this.#checks = undefined
  }

  /** Ends at most one export per check: one free place can be enough. */
  #endSlowest(): void {
    const candidates = [...this.#running.values()].filter(({ signal }) => !signal.aborted)
    const slowest = candidates.sort((one, other) => other.lagMs - one.lagMs)[0]
    const isFreeing = candidates.length < this.#running.size
    if (!isFreeing && slowest && slowest.lagMs > lagMaxMs) slowest.end()
  }
}

const refused = (reason: string) =>
  tooMany(
    'export_limit_reached',
    `${reason}. Wait until it has ended, and send the request again (Retry-After).`,
    { retryAfterSeconds: 5 },
  )
