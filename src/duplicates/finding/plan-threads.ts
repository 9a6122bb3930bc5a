import { Worker } from 'node:worker_threads'
import type { Stored } from '../../records/lock.ts'
import type { Plan } from '../deciding/plan.ts'
import type { EntityType } from '../entities.ts'
import type { Settings } from '../settings.ts'

/** Groups of records, and all that is needed to say what follows from comparing those of each. */
export type PlanTask = {
  place: number
  entityType: EntityType
  settings: Settings
  /** How many records of the kind the org has. */
  total: number
  stored: readonly Stored[]
  groups: readonly string[][]
  /** Pairs that somebody said to be different (`pairName`). */
  different: ReadonlySet<string>
  /** How many records name each, by id. */
  children: ReadonlyMap<string, number>
}

/** The plan of each group, in their order. */
export type PlanResult = { place: number; plans: Plan[] }

/** Threads that compare records, while this one goes on with its requests. */
export class PlanThreads {
  readonly #threads: Worker[]
  readonly #waiting = new Map<number, PromiseWithResolvers<Plan[]>>()
  #places = 0
  #error: unknown = null

  constructor(threads: number) {
    const url = new URL('./plan-thread.ts', import.meta.url)
    this.#threads = Array.from({ length: threads }, () => new Worker(url))
    for (const thread of this.#threads) {
      thread.on('message', ({ place, plans }: PlanResult) => {
        this.#waiting.get(place)?.resolve(plans)
        this.#waiting.delete(place)
      })
      thread.on('error', (error) => this.#fail(error))
    }
  }

  get size(): number {
    return this.#threads.length
  }

  /** What follows from comparing the records of each group. */
  plan(task: Omit<PlanTask, 'place'>): Promise<Plan[]> {
    if (this.#error) return Promise.reject(this.#error)
    const place = this.#places++
    const planned = Promise.withResolvers<Plan[]>()
    this.#waiting.set(place, planned)
    this.#threads[place % this.#threads.length]!.postMessage({ ...task, place } satisfies PlanTask)
    return planned.promise
  }

  /** Ends the threads, whatever they do. */
  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.terminate()))
    this.#fail(new Error('The threads that compare records were ended'))
  }

  #fail(error: unknown): void {
    this.#error ??= error
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }
}
