import { Worker } from 'node:worker_threads'
import { FairLimiter } from '../../platform/db/fair-limiter.ts'
import type { Compiled, SignatureTemplate } from './compile.ts'
import { type CompileOutcome, type CompileTask, resultOf } from './compile-tasks.ts'
import type { SentOutcome, SentTask } from './compile-thread.ts'
import type { SignatureData } from './signature-data.ts'

// A template may keep a thread busy for 60 ms, and the steps of its libraries cannot be divided. So a thread of its own
// compiles, and this one answers requests meanwhile.

/** The thread has 30 MB, so it ends when nothing was compiled for this time. */
const idleMs = 60_000
const resourceLimits = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 256 }

/** The thread has one task of each owner at a time, so a rollout of 1,000 mailboxes delays nobody else by more than one. */
const limiter = new FairLimiter({ max: 1, waitMs: 60_000 })

class CompileThread {
  #thread: Worker | null = null
  #idle: NodeJS.Timeout | undefined
  #tasks = 0
  readonly #running = new Map<number, PromiseWithResolvers<CompileOutcome>>()

  run(task: CompileTask): Promise<CompileOutcome> {
    clearTimeout(this.#idle)
    this.#thread ??= this.#start()
    const number = this.#tasks++
    const running = Promise.withResolvers<CompileOutcome>()
    this.#running.set(number, running)
    // A process that only waits for a compiled signature must not end.
    this.#thread.ref()
    this.#thread.postMessage({ number, task } satisfies SentTask)
    return running.promise
  }

  #start(): Worker {
    const thread = new Worker(new URL('./compile-thread.ts', import.meta.url), { resourceLimits })
    thread.on('message', ({ number, outcome }: SentOutcome) => {
      this.#running.get(number)?.resolve(outcome)
      this.#running.delete(number)
      if (this.#running.size === 0) this.#rest(thread)
    })
    thread.on('error', (error) => this.#fail(error))
    return thread
  }

  #rest(thread: Worker): void {
    thread.unref()
    this.#idle = setTimeout(() => {
      this.#thread = null
      void thread.terminate()
    }, idleMs).unref()
  }

  /** The thread has ended. The next task starts another one. */
  #fail(error: unknown): void {
    this.#thread = null
    for (const { reject } of this.#running.values()) reject(error)
    this.#running.clear()
  }
}

const thread = new CompileThread()

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
