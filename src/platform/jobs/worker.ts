import type { Context } from '../context.ts'
import type { Log } from '../log.ts'
import type { JobClaim } from './engine/claims.ts'
import type { Engine } from './engine/engine.ts'
import { type AnyJob, queuesOf } from './job.ts'
import { runJob } from './run-job.ts'
import { Slots } from './slots.ts'

const pollMs = 500
const abortGraceMs = 1_000
/** After this wait for another system, a job frees its slot. */
const outsideMs = 1_000

type Run = { claim: JobClaim; abort: AbortController; ended: Promise<void> }

/** Runs jobs of several kinds in this process. Each kind has its own slots. */
export class Worker {
  readonly #engine: Pick<Engine, 'claims' | 'listen' | 'commits'>
  readonly #log: Log
  readonly #queues = new Map<string, AnyJob>()
  readonly #slots = new Slots()
  readonly #runs = new Set<Run>()
  #polling: Promise<void> | null = null
  #woken = Promise.withResolvers<void>()
  #stopping = false
  #reachable = true

  constructor(engine: Pick<Engine, 'claims' | 'listen' | 'commits'>, log: Log) {
    this.#engine = engine
    this.#log = log
  }

  /** Starts to run jobs of these definitions. */
  async work(definitions: readonly AnyJob[], context: Context): Promise<void> {
    for (const queue of queuesOf(definitions)) this.#queues.set(queue.name, queue)
    this.#polling ??= this.#poll(context)
    this.#wake()
    try {
      await this.#engine.listen(() => this.#wake())
    } catch (error) {
      this.#log.warn({ err: error }, 'cannot listen for new jobs; polling twice a second')
    }
  }

  /**
   * Stops claiming jobs, and waits for running jobs until the timeout. Then aborts them, and 1 s later returns the
   * jobs that still run to the queue. A job with a serial key is not returned: it would run twice at the same time.
   */
  async stop(timeoutMs: number): Promise<void> {
    this.#stopping = true
    this.#wake()
    const ended = async () => {
      await this.#polling
      await Promise.all([...this.#runs].map((run) => run.ended))
    }
    await waitAtMost(timeoutMs, ended())
    for (const { abort } of this.#runs) abort.abort(new Error('this process is about to stop'))
    await waitAtMost(abortGraceMs, ended())
    const left = [...this.#runs].filter(({ claim }) => !claim.serial)
    await waitAtMost(abortGraceMs, Promise.all(left.map(({ claim }) => this.#handBack(claim))))
  }

  #wake(): void {
    this.#woken.resolve()
  }

  async #poll(context: Context): Promise<void> {
    while (!this.#stopping) {
      // Renew the promise before the query: a job that is enqueued during the query must cause another query.
      this.#woken = Promise.withResolvers()
      const claims = await this.#next()
      for (const claim of claims) this.#start(claim, context)
      if (claims.length === 0) await this.#rest()
    }
  }

  /** Waits until there may be a job to claim. While jobs run here, returns after half a second at the latest. */
  async #rest(): Promise<void> {
    for (;;) {
      const isWoken = await waitAtMost(pollMs, this.#woken.promise)
      if (isWoken || this.#stopping || this.#runs.size > 0) return
      if (await this.#mayHaveNext().catch(() => true)) return
    }
  }

  async #mayHaveNext(): Promise<boolean> {
    return (await this.#engine.commits.arrived()) && (await this.#engine.claims.mayHaveNext())
  }

  /** Claims the next jobs. Returns them to the queue if the worker stops meanwhile. */
  async #next(): Promise<JobClaim[]> {
    const capacity = this.#slots.capacity(this.#queues.values())
    if (capacity.queues.length === 0) return []
    try {
      const claims = await this.#engine.claims.next(capacity)
      if (!this.#reachable) this.#log.info('claiming jobs again')
      this.#reachable = true
      if (!this.#stopping) return claims
      await Promise.all(claims.map((claim) => this.#handBack(claim)))
      return []
    } catch (error) {
      if (this.#reachable) this.#log.warn({ err: error }, 'cannot claim jobs')
      this.#reachable = false
      // The jobs are still due, so the next try must not wait for a commit.
      this.#engine.commits.forget()
      return []
    }
  }

  /** If this fails, the job's heartbeats stop, and another process claims it. */
  async #handBack(claim: JobClaim): Promise<void> {
    const about = { job: claim.name, job_id: claim.id }
    await this.#engine.claims
      .handBack(claim)
      .catch((error) => this.#log.warn({ ...about, err: error }, 'a job could not be returned to the queue'))
  }

  #start(claim: JobClaim, context: Context): void {
    const job = this.#queues.get(claim.name)
    if (!job) throw new Error(`no job is called ${claim.name}`)
    const abort = new AbortController()
    const { claims } = this.#engine
    this.#slots.take(claim)
    const outside = <Answer>(answer: Promise<Answer>) => this.#outside(claim, answer)
    const runner = { job, context, claims, log: this.#log, abort, outside }
    const run: Run = { claim, abort, ended: runJob(claim, runner) }
    this.#runs.add(run)
    run.ended = run.ended.then(() => {
      this.#runs.delete(run)
      this.#slots.free(claim)
      this.#wake()
    })
  }

  /** Waits for another system. After `outsideMs`, waits without a slot. */
  async #outside<Answer>(claim: JobClaim, answer: Promise<Answer>): Promise<Answer> {
    let isAway = false
    const timer = setTimeout(() => {
      isAway = this.#slots.leave(claim)
      if (isAway) this.#wake()
    }, outsideMs)
    try {
      return await answer
    } finally {
      clearTimeout(timer)
      if (isAway) this.#slots.comeBack(claim)
    }
  }
}

/** Returns whether `promise` was fulfilled in time. */
async function waitAtMost(ms: number, promise: Promise<unknown>): Promise<boolean> {
  const late = Promise.withResolvers<false>()
  const timer = setTimeout(late.resolve, ms, false)
  const inTime = await Promise.race([promise.then(() => true), late.promise])
  clearTimeout(timer)
  return inTime
}
