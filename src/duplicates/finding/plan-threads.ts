import { Worker } from 'node:worker_threads'
import type { Plan } from '../deciding/plan.ts'
import { type Grouped, planGroups } from './plan-groups.ts'
import { threadLimits } from './scan-worker.ts'

/** Groups for a thread to plan for, and which answer theirs is. */
export type PlanTask = Grouped & { place: number }

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
    this.#threads = Array.from({ length: threads }, () => new Worker(url, { resourceLimits: threadLimits }))
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

  /** What follows from comparing the records of each group. Without a thread, it is found here. */
  async plan(grouped: Grouped): Promise<Plan[]> {
    if (this.#error) throw this.#error
    if (this.#threads.length === 0) return planGroups(grouped)
    const place = this.#places++
    const planned = Promise.withResolvers<Plan[]>()
    this.#waiting.set(place, planned)
    this.#threads[place % this.#threads.length]!.postMessage({ ...grouped, place } satisfies PlanTask)
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
