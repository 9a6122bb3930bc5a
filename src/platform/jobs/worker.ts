import type { Context } from '../context.ts'
import type { Log } from '../log.ts'
import type { Claim, Claims } from './claims.ts'
import type { AnyJob } from './job.ts'
import { runJob } from './run-job.ts'
import { Slots } from './slots.ts'

const lookMs = 500
const abortGraceMs = 1_000

type Run = { claim: Claim; abort: AbortController; ended: Promise<void> }

/** Runs jobs of any number of kinds in this process, each kind in slots of its own. */
export class Worker {
  readonly #claims: Claims
  readonly #log: Log
  readonly #queues = new Map<string, AnyJob>()
  readonly #slots = new Slots()
  readonly #runs = new Set<Run>()
  #looking: Promise<void> | null = null
  #woken = Promise.withResolvers<void>()
  #stopping = false
  #sees = true

  constructor(claims: Claims, log: Log) {
    this.#claims = claims
    this.#log = log
  }

  /** Works off these queues from now on. */
  add(queues: readonly AnyJob[], context: Context): void {
    for (const queue of queues) this.#queues.set(queue.name, queue)
    this.#looking ??= this.#look(context)
    this.wake()
  }

  /** Looks for jobs now. */
  wake(): void {
    this.#woken.resolve()
  }

  /** Takes no more jobs; waits for those that run, then aborts them and, a second later, hands over what still runs. */
  async stop(timeoutMs: number): Promise<void> {
    this.#stopping = true
    this.wake()
    const ended = async () => {
      await this.#looking
      await Promise.all([...this.#runs].map((run) => run.ended))
    }
    await within(timeoutMs, ended())
    for (const { abort } of this.#runs) abort.abort(new Error('this process is about to stop'))
    await within(abortGraceMs, ended())
    // A serial one stays taken while it may be at work here: until its heartbeats are missed.
    const left = [...this.#runs].filter(({ claim }) => !claim.serial)
    await within(abortGraceMs, Promise.all(left.map(({ claim }) => this.#handBack(claim))))
  }

  async #look(context: Context): Promise<void> {
    while (!this.#stopping) {
      // Before it asks: what is enqueued meanwhile makes it ask again.
      this.#woken = Promise.withResolvers()
      const claim = await this.#next()
      if (claim && this.#stopping) await this.#handBack(claim)
      else if (claim) this.#start(claim, context)
      else await within(lookMs, this.#woken.promise)
    }
  }

  async #next(): Promise<Claim | null> {
    const capacity = this.#slots.capacity(this.#queues.values(), this.#runs)
    if (capacity.names.length === 0) return null
    try {
      const claim = await this.#claims.next(capacity)
      if (!this.#sees) this.#log.info('looking for jobs again')
      this.#sees = true
      return claim
    } catch (error) {
      if (this.#sees) this.#log.warn({ err: error }, 'cannot look for jobs')
      this.#sees = false
      return null
    }
  }

  /** Should that fail, it goes on elsewhere once its heartbeats are missed. */
  async #handBack(claim: Claim): Promise<void> {
    const about = { job: claim.name, job_id: claim.id }
    await this.#claims
      .handBack(claim)
      .catch((error) => this.#log.warn({ ...about, err: error }, 'a job could not be handed back'))
  }

  #start(claim: Claim, context: Context): void {
    const abort = new AbortController()
    const orgDefaults = {
      queue: this.#queues.get(claim.name)!,
      context,
      claims: this.#claims,
      log: this.#log,
      abort,
    }
    this.#slots.take(claim)
    const run: Run = { claim, abort, ended: runJob(claim, orgDefaults) }
    this.#runs.add(run)
    run.ended = run.ended.then(() => {
      this.#runs.delete(run)
      this.#slots.free(claim)
      this.wake()
    })
  }
}

/** Waits for `promise`, `ms` at most. */
async function within(ms: number, promise: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, ms)
  await Promise.race([promise, late.promise])
  clearTimeout(timer)
}
