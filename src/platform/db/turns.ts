import { OrgBusy } from './errors.ts'

type Queue = { working: number; waiting: (() => void)[] }

/** Bounds how many connections each org has at once, so that one whose work waits leaves some to the others. */
export class Turns {
  readonly #max: number
  readonly #waitMs: number
  readonly #queues = new Map<string, Queue>()

  /** @param max at once for each org; @param waitMs how long a turn is waited for */
  constructor(max: number, waitMs: number) {
    this.#max = max
    this.#waitMs = waitMs
  }

  /** Runs `work` when it is its turn in the org. @throws OrgBusy if that takes too long */
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
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(late)
        resolve()
      }
      const late = setTimeout(() => {
        queue.waiting.splice(queue.waiting.indexOf(begin), 1)
        reject(new OrgBusy('Too many requests of this organization wait for the database'))
      }, this.#waitMs)
      queue.waiting.push(begin)
    })
  }
}
