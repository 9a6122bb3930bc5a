import { Worker } from 'node:worker_threads'
import { FairLimiter } from '../../platform/db/fair-limiter.ts'
import type { Compiled, SignatureTemplate } from './compile.ts'
import { type CompileOutcome, type CompileTask, endOf, resultOf } from './compile-tasks.ts'
import type { SentOutcome, SentTask } from './compile-thread.ts'
import type { SignatureData } from './signature-data.ts'

// A template may keep a thread busy for 60 ms, and the steps of its libraries cannot be divided. So a thread of its own
// compiles, and this one answers requests meanwhile.

/** The thread has 30 MB, so it ends when nothing was compiled for this time. */
const idleMs = 60_000
const resourceLimits = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 256 }

/**
 * The thread has one task of each owner at a time, so a rollout of 1,000 mailboxes delays each other owner by at most
 * one task.
 */
const limiter = new FairLimiter({ max: 1, waitMs: 60_000 })

type Running = { task: CompileTask; outcome: PromiseWithResolvers<CompileOutcome> }

export class CompileThread {
  readonly #file: URL
  #thread: Worker | null = null
  #idle: NodeJS.Timeout | undefined
  #tasks = 0
  /** The tasks of the thread, in their order. It works on the first one. */
  readonly #running = new Map<number, Running>()

  /** @param file the module that the thread runs */
  constructor(file: URL) {
    this.#file = file
  }

  run(task: CompileTask): Promise<CompileOutcome> {
    const outcome = Promise.withResolvers<CompileOutcome>()
    const number = this.#tasks++
    this.#running.set(number, { task, outcome })
    this.#send({ number, task })
    return outcome.promise
  }

  #send(sent: SentTask): void {
    clearTimeout(this.#idle)
    this.#thread ??= this.#start()
    // A process that only waits for a compiled signature must not end.
    this.#thread.ref()
    this.#thread.postMessage(sent)
  }

  #start(): Worker {
    const thread = new Worker(this.#file, { resourceLimits })
    let reason: unknown = 'its thread ended'
    thread.on('message', ({ number, outcome }: SentOutcome) => {
      this.#running.get(number)?.outcome.resolve(outcome)
      this.#running.delete(number)
      if (this.#running.size === 0) this.#rest(thread)
    })
    thread.on('error', (error) => {
      reason = error
    })
    thread.on('exit', () => {
      if (thread === this.#thread) this.#replace(reason)
    })
    return thread
  }

  #rest(thread: Worker): void {
    thread.unref()
    this.#idle = setTimeout(() => {
      this.#thread = null
      void thread.terminate()
    }, idleMs).unref()
  }

  /** The thread has ended, because of its first task. A new one gets the others. */
  #replace(reason: unknown): void {
    clearTimeout(this.#idle)
    this.#thread = null
    const [first, ...others] = this.#running
    if (!first) return
    this.#running.delete(first[0])
    first[1].outcome.resolve(endOf(reason))
    for (const [number, { task }] of others) this.#send({ number, task })
  }
}

const thread = new CompileThread(new URL('./compile-thread.ts', import.meta.url))

async function runFor(owner: string, task: CompileTask): Promise<Compiled | null> {
  return resultOf(await limiter.run(owner, () => thread.run(task)))
}

/**
 * Compiles a signature on a thread of its own.
 * @param owner Caller.payerId, or the id of the organization
 * @param data null: each name of the template has its own name as its value
 * @throws TemplateFault; OrgBusy if it waits too long
 */
export async function compileAside(
  owner: string,
  template: SignatureTemplate,
  data: SignatureData | null,
): Promise<Compiled> {
  return (await runFor(owner, { kind: 'compile', template, data }))!
}

/** Checks a template without data on a thread of its own. @throws TemplateFault; OrgBusy if it waits too long */
export async function checkAside(owner: string, template: SignatureTemplate): Promise<void> {
  await runFor(owner, { kind: 'check', template })
}
