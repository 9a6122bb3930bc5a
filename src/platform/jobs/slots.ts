import type { Capacity, Claim } from './claims.ts'
import type { AnyJob } from './job.ts'

const slotsUnlessTold = 2
const servedMax = 1_000

/** Who has how many of one process's slots, and whose turn was when. */
export class Slots {
  readonly #taken = new Map<string, number>()
  readonly #served = new Set<string>()

  take(claim: Claim): void {
    const lane = laneOf(claim)
    this.#count(claim.name, 1)
    this.#count(lane, 1)
    // Put at the end: a set keeps the order in which it was filled.
    this.#served.delete(lane)
    this.#served.add(lane)
    if (this.#served.size > servedMax) this.#served.delete(this.#served.values().next().value!)
  }

  free(claim: Claim): void {
    this.#count(claim.name, -1)
    this.#count(laneOf(claim), -1)
  }

  /**
   * What can be taken of these queues. One org never takes a queue's last slot, where there are several: another one's
   * job need not wait for the end of any.
   */
  capacity(queues: Iterable<AnyJob>, runs: Iterable<{ claim: Claim }>): Capacity {
    const slots = new Map([...queues].map(({ name, concurrency = slotsUnlessTold }) => [name, concurrency]))
    const taken = (key: string) => this.#taken.get(key) ?? 0
    const isFull = (claim: Claim) => taken(laneOf(claim)) >= Math.max(1, slots.get(claim.name)! - 1)
    return {
      names: [...slots.keys()].filter((name) => taken(name) < slots.get(name)!),
      full: [...runs].filter(({ claim }) => isFull(claim)).map(({ claim }) => laneOf(claim)),
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
