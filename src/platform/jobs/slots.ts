import type { Capacity, Claim } from './engine/claims.ts'
import type { AnyJob } from './job.ts'

const defaultConcurrency = 2
const servedLanesMax = 1_000

/** The slots of one process: how many of them each queue and lane uses, and which lanes were served last. */
export class Slots {
  readonly #taken = new Map<string, number>()
  readonly #served = new Set<string>()

  take(claim: Claim): void {
    const lane = laneOf(claim)
    this.#count(claim.name, 1)
    this.#count(lane, 1)
    // Move the lane to the end: a set keeps the order in which members were added.
    this.#served.delete(lane)
    this.#served.add(lane)
    const [oldest] = this.#served
    if (this.#served.size > servedLanesMax && oldest !== undefined) this.#served.delete(oldest)
  }

  free(claim: Claim): void {
    this.#count(claim.name, -1)
    this.#count(laneOf(claim), -1)
  }

  /**
   * The jobs of these queues that can be claimed now. If a queue has several slots, one org never uses the last slot.
   * So a job of another org can start immediately.
   */
  capacity(queues: Iterable<AnyJob>, running: Iterable<{ claim: Claim }>): Capacity {
    const slots = new Map(
      [...queues].map(({ name, concurrency = defaultConcurrency }) => [name, concurrency]),
    )
    const taken = (key: string) => this.#taken.get(key) ?? 0
    const laneMax = ({ name }: Claim) => Math.max(1, (slots.get(name) ?? 0) - 1)
    const lanes = [...running].map(({ claim }) => ({ lane: laneOf(claim), max: laneMax(claim) }))
    return {
      names: [...slots].filter(([name, count]) => taken(name) < count).map(([name]) => name),
      full: lanes.filter(({ lane, max }) => taken(lane) >= max).map(({ lane }) => lane),
      served: [...this.#served],
    }
  }

  #count(key: string, by: number): void {
    const count = (this.#taken.get(key) ?? 0) + by
    if (count > 0) this.#taken.set(key, count)
    else this.#taken.delete(key)
  }
}

const laneOf = ({ name, lane }: Claim) => `${name} ${lane}`
