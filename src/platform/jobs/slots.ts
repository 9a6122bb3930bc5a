import { Counts } from '../counts.ts'
import type { Capacity, JobClaim } from './engine/claims.ts'
import type { AnyJob } from './job.ts'

const defaultConcurrency = 2
const servedMax = 1_000
/**
 * How many jobs of a queue may wait for other systems without a slot. Each keeps its memory and connections. One payer
 * may use at most half of the places that other payers do not use. Otherwise its jobs could use all places, and the
 * jobs of other payers would have to keep their slots while they wait.
 */
const awayMax = 256

/** The slots of one process: how many of them each queue and payer uses, and which payers and lanes were served last. */
export class Slots {
  readonly #taken = new Counts()
  readonly #takenByPayer = new Counts()
  /** The jobs that wait without a slot for another system. */
  readonly #away = new Counts()
  readonly #awayByPayer = new Counts()
  readonly #servedPayers = new Set<string>()
  readonly #servedLanes = new Set<string>()

  take(claim: JobClaim): void {
    const payer = payerOf(claim)
    this.#taken.add(claim.name, 1)
    this.#takenByPayer.add(payer, 1)
    moveToEnd(this.#servedPayers, payer)
    moveToEnd(this.#servedLanes, `${claim.name} ${claim.lane}`)
  }

  free(claim: JobClaim): void {
    this.#taken.add(claim.name, -1)
    this.#takenByPayer.add(payerOf(claim), -1)
  }

  /**
   * Frees the slot of a job that waits for another system. Returns false if too many jobs already wait without a slot, of
   * all payers or of the job's payer.
   */
  leave(claim: JobClaim): boolean {
    const payer = payerOf(claim)
    const own = this.#awayByPayer.of(payer)
    const ofOthers = this.#away.of(claim.name) - own
    if (own >= Math.floor((awayMax - ofOthers) / 2)) return false
    this.#away.add(claim.name, 1)
    this.#awayByPayer.add(payer, 1)
    this.free(claim)
    return true
  }

  /** Takes a slot again, even if none is free: the job already runs. */
  comeBack(claim: JobClaim): void {
    this.#away.add(claim.name, -1)
    this.#awayByPayer.add(payerOf(claim), -1)
    this.#taken.add(claim.name, 1)
    this.#takenByPayer.add(payerOf(claim), 1)
  }

  /**
   * The capacity for more jobs of these queues. One payer never uses the last of several slots, so that a job of
   * another payer can start.
   */
  capacity(queues: Iterable<AnyJob>): Capacity {
    const all = [...queues].map(({ name, concurrency = defaultConcurrency }) => ({
      name,
      free: concurrency - this.#taken.of(name),
      payerMax: Math.max(1, concurrency - 1),
    }))
    return {
      queues: all.filter(({ free }) => free > 0),
      running: [...this.#takenByPayer.entries()].map(([payer, count]) => ({ payer, count })),
      servedPayers: [...this.#servedPayers],
      servedLanes: [...this.#servedLanes],
    }
  }
}

const payerOf = ({ name, payer }: JobClaim) => `${name} ${payer}`

/** Adds a value at the end, or moves it there, and keeps the last 1,000. A Set keeps the order of insertion. */
function moveToEnd(served: Set<string>, value: string): void {
  served.delete(value)
  served.add(value)
  const [oldest] = served
  if (served.size > servedMax && oldest !== undefined) served.delete(oldest)
}
