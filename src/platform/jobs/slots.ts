import { Counts } from '../counts.ts'
import type { Capacity, JobClaim } from './engine/claims.ts'
import type { AnyJob } from './job.ts'

const defaultConcurrency = 2
const servedLanesMax = 1_000
/** How many jobs of a queue may wait for other systems without a slot. Each keeps its memory and connections. */
const awayMax = 256

/** The slots of one process: how many of them each queue and lane uses, and which lanes were served last. */
export class Slots {
  readonly #taken = new Counts()
  readonly #takenByLane = new Counts()
  /** The jobs that wait without a slot for another system. */
  readonly #away = new Counts()
  readonly #served = new Set<string>()

  take(claim: JobClaim): void {
    const lane = laneOf(claim)
    this.#taken.add(claim.name, 1)
    this.#takenByLane.add(lane, 1)
    // Move the lane to the end: a Set keeps the order of insertion.
    this.#served.delete(lane)
    this.#served.add(lane)
    const [oldest] = this.#served
    if (this.#served.size > servedLanesMax && oldest !== undefined) this.#served.delete(oldest)
  }

  free(claim: JobClaim): void {
    this.#taken.add(claim.name, -1)
    this.#takenByLane.add(laneOf(claim), -1)
  }

  /**
   * Frees the slot of a job that waits for another system. Returns false if too many jobs already wait without a slot.
   */
  leave(claim: JobClaim): boolean {
    if (this.#away.of(claim.name) >= awayMax) return false
    this.#away.add(claim.name, 1)
    this.free(claim)
    return true
  }

  /** Takes a slot again, even if none is free: the job already runs. */
  comeBack(claim: JobClaim): void {
    this.#away.add(claim.name, -1)
    this.#taken.add(claim.name, 1)
    this.#takenByLane.add(laneOf(claim), 1)
  }

  /**
   * The capacity for more jobs of these queues. One org never uses the last of several slots, so that a job of
   * another org can start.
   */
  capacity(queues: Iterable<AnyJob>): Capacity {
    const all = [...queues].map(({ name, concurrency = defaultConcurrency }) => ({
      name,
      free: concurrency - this.#taken.of(name),
      laneMax: Math.max(1, concurrency - 1),
    }))
    return {
      queues: all.filter(({ free }) => free > 0),
      running: [...this.#takenByLane.entries()].map(([lane, count]) => ({ lane, count })),
      served: [...this.#served],
    }
  }
}

const laneOf = ({ name, lane }: JobClaim) => `${name} ${lane}`
