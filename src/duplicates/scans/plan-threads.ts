import { Worker } from 'node:worker_threads'
import { inSlices } from '../../platform/slices.ts'
import type { MergePlan } from '../engine/plan.ts'
import { type GroupsInput, planningGroups } from './plan-groups.ts'
import { threadLimits } from './threads.ts'

export type PlanTask = GroupsInput & { index: number }

/** One plan for each group of the task, in order. */
export type PlanResult = { index: number; plans: MergePlan[] }

/** Plans groups on threads, so that the calling thread can answer requests. */
export class PlanThreads {
  readonly #threads: Worker[]
  readonly #waiting = new Map<number, PromiseWithResolvers<MergePlan[]>>()
  #tasks = 0
  #error: unknown = null

  constructor(threads: number) {
    const url = new URL('./plan-thread.ts', import.meta.url)
    this.#threads = Array.from({ length: threads }, () => new Worker(url, { resourceLimits: threadLimits }))
    for (const thread of this.#threads) {
      thread.on('message', ({ index, plans }: PlanResult) => {
        this.#waiting.get(index)?.resolve(plans)
        this.#waiting.delete(index)
      })
      thread.on('error', (error) => this.#fail(error))
      thread.on('exit', () => this.#fail(new Error('A thread of this scan ended')))
    }
  }

  get size(): number {
    return this.#threads.length
  }

  /** If there are no threads, this thread plans, in slices of thread time of `orgId`. */
  async plan(orgId: string, input: GroupsInput): Promise<MergePlan[]> {
    if (this.#error) throw this.#error
    const index = this.#tasks++
    const thread = this.#threads[index % this.#threads.length]
    if (!thread) return inSlices(orgId, planningGroups(input))
    const planned = Promise.withResolvers<MergePlan[]>()
    this.#waiting.set(index, planned)
    thread.postMessage({ ...input, index } satisfies PlanTask)
    return planned.promise
  }

  /** Ends the threads. All running tasks are rejected. */
  async close(): Promise<void> {
    this.#fail(new Error('The threads of this scan were stopped'))
    await Promise.all(this.#threads.map((thread) => thread.terminate()))
  }

  #fail(error: unknown): void {
    this.#error ??= error
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }
}
