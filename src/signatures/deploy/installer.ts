import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from '../../platform/context.ts'
import { isUnavailable } from '../../platform/db/errors.ts'
import type { Org } from '../../platform/db/org.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { waitAfter } from '../../platform/jobs/backoff.ts'
import type { Log } from '../../platform/log.ts'
import { type Compiled, compileSignature, TemplateFault } from '../compile/compile.ts'
import type { Source } from '../mailboxes/sources.ts'
import type { Order, Outcome } from '../providers/provider.ts'
import { Providers } from '../providers/providers.ts'
import type { ProviderName } from '../schema.ts'
import { installMetrics } from './metrics.ts'
import { putOff, settle } from './settle.ts'
import { isAnyDue, type Lane, noteInstalling, type Taken, takeDue } from './take.ts'

/** How many lots are done at once; those of rollouts leave some hands free for what somebody waits for. */
const hands = 10
const handsForRollouts = 8
const atOnce = 10
/** How often those that have a hand free look for more, where nobody wakes them. */
const lookMs = 250
/** After this another org has its turn. */
const turnMs = 10_000
/** For so long after, while what was begun ends, no rollout's but what somebody waits for is done. */
const overtimeMs = 60_000

/** Has the lane looked at again; once `at` has come, if it is given. */
export type ComeAgain = (tx: Tx, at?: Date) => Promise<void>

type Ready = { row: Taken; source: Source; compiled: Compiled }

/** Compiles and installs what is due in a lane; nobody else is at it meanwhile. */
export class Installer {
  readonly #org: Org
  readonly #lane: Lane
  readonly #comeAgain: ComeAgain
  readonly #providers: Providers
  readonly #log: Log
  readonly #metrics: ReturnType<typeof installMetrics>

  constructor(context: Context, org: Org, lane: Lane, comeAgain: ComeAgain) {
    this.#org = org
    this.#lane = lane
    this.#comeAgain = comeAgain
    this.#log = context.log
    this.#metrics = installMetrics(context)
    this.#providers = new Providers(context, org, lane.mode)
  }

  /**
   * Until nothing is due any more, or for a turn. True: there is more to do.
   * @param now milliseconds since whenever
   */
  async installAll(signal: AbortSignal, now = () => performance.now()): Promise<boolean> {
    const atWork = new Set<Promise<void>>()
    const failures: unknown[] = []
    const endAt = now() + turnMs
    try {
      for (;;) {
        signal.throwIfAborted()
        if (failures.length > 0) throw failures[0]
        const late = now() - endAt
        const isOver = late > 0
        if (isOver && atWork.size === 0) return true
        const isPrompt = isOver || atWork.size >= handsForRollouts
        const taken = atWork.size < hands && late < overtimeMs ? await this.#take(isPrompt) : []
        if (taken.length > 0) {
          const work = this.#install(taken, signal)
            .catch((error: unknown) => void failures.push(error))
            .finally(() => atWork.delete(work))
          atWork.add(work)
        } else if (atWork.size > 0) await Promise.race([...atWork, delay(lookMs)])
        // What was under way may have ended, or failed, while it looked for what somebody waits for alone.
        else if (!isPrompt && failures.length === 0) {
          if (!(await this.#isAnyDue())) return false
          await delay(lookMs)
        }
      }
    } finally {
      await Promise.all(atWork)
    }
  }

  #take(isPrompt: boolean): Promise<Taken[]> {
    return this.#org.transact((tx) => takeDue(tx, this.#lane, atOnce, isPrompt))
  }

  #isAnyDue(): Promise<boolean> {
    return this.#org.read((tx) => isAnyDue(tx, this.#lane))
  }

  async #install(taken: readonly Taken[], signal: AbortSignal): Promise<void> {
    const ready: Ready[] = []
    for (const row of taken) {
      const made = compile(row)
      if ('failure' in made) await this.#end(row, { outcome: 'failed', message: made.failure }, null)
      else ready.push({ row, ...made })
    }
    if (ready.length === 0) return
    const mailboxIds = ready.map(({ row }) => row.mailboxId)
    await this.#org.transact((tx) => noteInstalling(tx, this.#lane, mailboxIds))
    // Nobody waits for another service's answer to somebody else.
    const isSlow = ({ source }: Ready) => Number(source.provider === 'gmail')
    for (const { row, source, compiled } of ready.toSorted((one, other) => isSlow(one) - isSlow(other))) {
      signal.throwIfAborted()
      const { html, text, sha256 } = compiled
      const { mailboxId, email, version: revision } = source
      const order = { mailboxId, email, html, text, sha256, revision }
      const outcome = await this.#try(order, source.provider, row.tries, signal)
      this.#metrics.installs.inc({ provider: source.provider, outcome: outcome.outcome })
      await this.#end(row, outcome, { revision, sha256 })
    }
  }

  /** What is wrong with one mailbox alone keeps no other one waiting. */
  async #try(order: Order, name: ProviderName, tries: number, signal: AbortSignal): Promise<Outcome> {
    try {
      const provider = await this.#providers.of(name, tries)
      return await provider.install(order, signal)
    } catch (error) {
      if (signal.aborted || isUnavailable(error)) throw error
      this.#log.error({ err: error, mailbox_id: order.mailboxId }, 'a signature could not be installed')
      return { outcome: 'later', message: 'Installing broke off; the server’s log says why' }
    }
  }

  async #end(
    row: Taken,
    outcome: Outcome,
    compiled: { revision: number; sha256: string } | null,
  ): Promise<void> {
    const lane = this.#lane
    if (outcome.outcome !== 'later')
      return this.#org.transact((tx) => settle(tx, lane, row, outcome, compiled))
    const { message, afterSeconds } = outcome
    const wait = waitAfter(row.tries, afterSeconds)
    if (wait === null) {
      const ending = { outcome: 'failed' as const, message: `${message} (tried ${row.tries} times)` }
      return this.#org.transact((tx) => settle(tx, lane, row, ending, compiled))
    }
    const at = new Date(Date.now() + wait)
    await this.#org.transact(async (tx) => {
      await Promise.all([
        putOff(tx, lane, row, `${message}; it will be tried again`, at),
        this.#comeAgain(tx, at),
      ])
    })
  }
}

function compile({ source }: Taken): { source: Source; compiled: Compiled } | { failure: string } {
  if (source === null) return { failure: 'The mailbox was removed' }
  if (source.template === null)
    return { failure: 'The mailbox has no template any more: give it one, and push it again' }
  try {
    return { source, compiled: compileSignature(source.template, source.data) }
  } catch (error) {
    if (!(error instanceof TemplateFault)) throw error
    return { failure: `The signature does not compile: ${error.placed}` }
  }
}
