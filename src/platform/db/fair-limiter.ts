import { timeoutUnlessBusy } from '../busy-thread.ts'
import { servesOthers as servesOthersNow } from '../recent-requests.ts'
import { OrgBusy } from './errors.ts'

/** How often waiting work checks whether the process still serves other orgs, in milliseconds. */
const lookEveryMs = 250

/** The work of one org. `working` has the time at which each running piece began. */
type Queue = { orgId: string; working: number[]; waiting: ((beganAt: number) => void)[] }

export type FairLimiterOptions = {
  /** The maximum amount of work that runs at once for one org. */
  max: number
  /** The same maximum while this process also serves other orgs; by default `max`. */
  maxBesideOthers?: number
  /**
   * Work that has run longer than this many milliseconds does not count for `maxBesideOthers`; by default, all work
   * counts. Such work mostly waits for a lock or a reader, and other work of its org need not wait with it.
   */
  slowMs?: number
  servesOthers?: (orgId: string) => boolean
  /** The maximum time that work waits to begin, in milliseconds. */
  waitMs: number
  /** The maximum amount of work that waits for one org; unlimited by default. */
  waitingMax?: number
  /**
   * The maximum amount of work that runs at once for all orgs together; unlimited by default. An org may use at most
   * half of the capacity that other orgs do not use.
   */
  total?: number
}

/** Limits how much work runs at once, for each org and in total. Work above a limit waits, and orgs take turns. */
export class FairLimiter {
  readonly #max: number
  readonly #maxBesideOthers: number
  readonly #slowMs: number
  readonly #servesOthers: (orgId: string) => boolean
  readonly #waitMs: number
  readonly #waitingMax: number
  readonly #total: number
  readonly #queues = new Map<string, Queue>()
  /** The queues of waiting work. A queue whose work begins moves behind the others. */
  readonly #waiting = new Set<Queue>()
  #working = 0
  #isLookAhead = false

  constructor({
    max,
    maxBesideOthers = max,
    slowMs = Number.POSITIVE_INFINITY,
    servesOthers = servesOthersNow,
    waitMs,
    waitingMax = Number.POSITIVE_INFINITY,
    total = Number.POSITIVE_INFINITY,
  }: FairLimiterOptions) {
    this.#max = max
    this.#maxBesideOthers = maxBesideOthers
    this.#slowMs = slowMs
    this.#servesOthers = servesOthers
    this.#waitMs = waitMs
    this.#waitingMax = waitingMax
    this.#total = total
  }

  /**
   * Runs `work` when the limits of its org and of all orgs together allow it.
   * @throws OrgBusy if too much work waits, or the wait takes too long
   */
  async run<Result>(orgId: string, work: () => Promise<Result>): Promise<Result> {
    const queue = this.#queues.get(orgId) ?? { orgId, working: [], waiting: [] }
    this.#queues.set(orgId, queue)
    const mayBegin = queue.waiting.length === 0 && this.#mayBegin(queue)
    const beganAt = mayBegin ? this.#begin(queue) : await this.#wait(queue)
    try {
      return await work()
    } finally {
      this.#working--
      queue.working.splice(queue.working.indexOf(beganAt), 1)
      if (queue.working.length === 0 && queue.waiting.length === 0) this.#queues.delete(orgId)
      this.#admit()
    }
  }

  /** An org that runs no work always begins at once. Its work then waits for a connection, like that of other orgs. */
  #mayBegin(queue: Queue): boolean {
    const working = queue.working.length
    if (working >= this.#max || this.#mustMakeRoom(queue)) return false
    const isAlone = working === this.#working
    return isAlone || working === 0 || working + 1 <= this.#total - this.#working - 1
  }

  /** Whether the process serves other orgs, and this org already runs as much work as it may meanwhile. */
  #mustMakeRoom({ orgId, working }: Queue): boolean {
    if (working.length < this.#maxBesideOthers || !this.#servesOthers(orgId)) return false
    const slowSince = performance.now() - this.#slowMs
    return working.filter((beganAt) => beganAt >= slowSince).length >= this.#maxBesideOthers
  }

  /** Returns the time at which the work began. */
  #begin(queue: Queue): number {
    const beganAt = performance.now()
    queue.working.push(beganAt)
    this.#working++
    return beganAt
  }

  /** Takes waiting work from the queues in rotation. Otherwise the first org would always be next. */
  #admit(): void {
    for (const queue of this.#waiting) {
      if (!this.#mayBegin(queue)) continue
      this.#waiting.delete(queue)
      queue.waiting.shift()?.(this.#begin(queue))
      if (queue.waiting.length > 0) this.#waiting.add(queue)
    }
  }

  /**
   * Waiting work may begin although no other work ended: if the process no longer serves other orgs, or if running work
   * became slow.
   */
  #expectLook(): void {
    if (this.#isLookAhead || this.#maxBesideOthers >= this.#max) return
    this.#isLookAhead = true
    setTimeout(() => {
      this.#isLookAhead = false
      this.#admit()
      if (this.#waiting.size > 0) this.#expectLook()
    }, lookEveryMs).unref()
  }

  /** Returns the time at which the work may begin. */
  #wait(queue: Queue): Promise<number> {
    if (queue.waiting.length >= this.#waitingMax) throw tooManyWaiting()
    return new Promise((resolve, reject) => {
      const begin = (beganAt: number) => {
        stop()
        resolve(beganAt)
      }
      const stop = timeoutUnlessBusy(this.#waitMs, () => {
        queue.waiting.splice(queue.waiting.indexOf(begin), 1)
        if (queue.waiting.length === 0) this.#waiting.delete(queue)
        reject(tooManyWaiting())
      })
      queue.waiting.push(begin)
      this.#waiting.add(queue)
      this.#expectLook()
    })
  }
}

const tooManyWaiting = () => new OrgBusy('Too many requests of this organization run or wait')
