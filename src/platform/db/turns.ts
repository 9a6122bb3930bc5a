import { timeoutUnlessBusy } from '../busy-thread.ts'
import { OrgBusy } from './errors.ts'

type Queue = { working: number; waiting: (() => void)[] }

export type TurnsOptions = {
  /** How much of each org runs at once. */
  max: number
  /** How long work waits for its turn, in milliseconds. */
  waitMs: number
  /** How much of each org may wait; any number unless told. */
  waitingMax?: number
  /** What all orgs share. Beside others, an org gets at most half of what is left of it; unbounded unless told. */
  total?: number
}

/** Bounds how much work each org has under way at once, so that an org whose work waits leaves room to the others. */
export class Turns {
  readonly #max: number
  readonly #waitMs: number
  readonly #waitingMax: number
  readonly #total: number
  readonly #queues = new Map<string, Queue>()
  /** Queues in which work waits. Each turn that is given moves its queue behind the others. */
  readonly #waiting = new Set<Queue>()
  #working = 0

  constructor({
    max,
    waitMs,
    waitingMax = Number.POSITIVE_INFINITY,
    total = Number.POSITIVE_INFINITY,
  }: TurnsOptions) {
    this.#max = max
    this.#waitMs = waitMs
    this.#waitingMax = waitingMax
    this.#total = total
  }

  /** Runs `work` when it is its turn in the org. @throws OrgBusy if too many wait, or for too long */
  async run<Result>(orgId: string, work: () => Promise<Result>): Promise<Result> {
    const queue = this.#queues.get(orgId) ?? { working: 0, waiting: [] }
    this.#queues.set(orgId, queue)
    if (queue.waiting.length === 0 && this.#mayBegin(queue)) this.#begin(queue)
    else await this.#wait(queue)
    try {
      return await work()
    } finally {
      this.#working--
      if (--queue.working === 0 && queue.waiting.length === 0) this.#queues.delete(orgId)
      this.#admit()
    }
  }

  /** An org without any always gets one turn: others may have all that there is, and it waits where they do. */
  #mayBegin({ working }: Queue): boolean {
    if (working >= this.#max) return false
    const isAlone = working === this.#working
    return isAlone || working === 0 || working + 1 <= this.#total - this.#working - 1
  }

  #begin(queue: Queue): void {
    queue.working++
    this.#working++
  }

  /** Orgs take turns: otherwise the first one would get each turn that others give back. */
  #admit(): void {
    for (const queue of this.#waiting) {
      if (!this.#mayBegin(queue)) continue
      this.#waiting.delete(queue)
      this.#begin(queue)
      queue.waiting.shift()?.()
      if (queue.waiting.length > 0) this.#waiting.add(queue)
    }
  }

  #wait(queue: Queue): Promise<void> {
    if (queue.waiting.length >= this.#waitingMax) throw tooManyWaiting()
    return new Promise((resolve, reject) => {
      const begin = () => {
        stop()
        resolve()
      }
      const stop = timeoutUnlessBusy(this.#waitMs, () => {
        queue.waiting.splice(queue.waiting.indexOf(begin), 1)
        if (queue.waiting.length === 0) this.#waiting.delete(queue)
        reject(tooManyWaiting())
      })
      queue.waiting.push(begin)
      this.#waiting.add(queue)
    })
  }
}

const tooManyWaiting = () => new OrgBusy('Too many requests of this organization wait for one another')
