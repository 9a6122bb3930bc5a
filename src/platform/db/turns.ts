import { timeoutUnlessBusy } from '../busy-thread.ts'
import { OrgBusy } from './errors.ts'

type Queue = { working: number; waiting: (() => void)[] }

/** Bounds how much work each org has under way at once, so that an org whose work waits leaves room to the others. */
export class Turns {
  readonly #max: number
  readonly #waitMs: number
  readonly #waitingMax: number
  readonly #queues = new Map<string, Queue>()

  /**
   * @param max at once for each org
   * @param waitMs how long a turn is waited for
   * @param waitingMax how many of each org may wait
   */
  constructor(max: number, waitMs: number, waitingMax: number = Number.POSITIVE_INFINITY) {
    this.#max = max
    this.#waitMs = waitMs
    this.#waitingMax = waitingMax
  }

  /** Runs `work` when it is its turn in the org. @throws OrgBusy if too many wait, or for too long */
  async run<Result>(orgId: string, work: () => Promise<Result>): Promise<Result> {
    const queue = this.#queues.get(orgId) ?? { working: 0, waiting: [] }
    this.#queues.set(orgId, queue)
    if (queue.working < this.#max) queue.working++
    else await this.#wait(queue)
    try {
      return await work()
    } finally {
      const next = queue.waiting.shift()
      // Whoever is next takes over this turn.
      if (next) next()
      else if (--queue.working === 0) this.#queues.delete(orgId)
    }
  }

  #wait(queue: Queue): Promise<void> {
    if (queue.waiting.length >= this.#waitingMax) throw tooMany()
    return new Promise((resolve, reject) => {
      const begin = () => {
        stop()
        resolve()
      }
      const stop = timeoutUnlessBusy(this.#waitMs, () => {
        queue.waiting.splice(queue.waiting.indexOf(begin), 1)
        reject(tooMany())
      })
      queue.waiting.push(begin)
    })
  }
}

const tooMany = () => new OrgBusy('Too many requests of this organization wait for one another')
