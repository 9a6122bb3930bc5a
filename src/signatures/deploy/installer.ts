import type { Context } from '../../platform/context.ts'
import type { Org } from '../../platform/db/org.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { type Compiled, compileSignature, TemplateFault } from '../compile/compile.ts'
import type { Source } from '../mailboxes/sources.ts'
import type { Outcome } from '../providers/provider.ts'
import { Providers } from '../providers/providers.ts'
import { waitAfter } from '../../platform/jobs/backoff.ts'
import { putOff, settle } from './settle.ts'
import { type Lane, noteInstalling, type Taken, takeDue } from './take.ts'

const hands = 8
const atOnce = 10

/** Has the lane looked at again, once `at` has come. */
export type ComeAgain = (tx: Tx, at: Date) => Promise<void>

type Ready = { row: Taken; source: Source; compiled: Compiled }

/** Compiles and installs what is due in a lane; nobody else is at it meanwhile. */
export class Installer {
  readonly #org: Org
  readonly #lane: Lane
  readonly #comeAgain: ComeAgain
  readonly #providers: Providers

  constructor(context: Context, org: Org, lane: Lane, comeAgain: ComeAgain) {
    this.#org = org
    this.#lane = lane
    this.#comeAgain = comeAgain
    this.#providers = new Providers(context, org, lane.mode)
  }

  /** Until nothing is due any more. */
  async installAll(signal: AbortSignal): Promise<void> {
    const work = async () => {
      for (;;) {
        signal.throwIfAborted()
        const taken = await this.#org.transact((tx) => takeDue(tx, this.#lane, atOnce))
        if (taken.length === 0) return
        await this.#install(taken, signal)
      }
    }
    const results = await Promise.allSettled(Array.from({ length: hands }, work))
    for (const result of results) if (result.status === 'rejected') throw result.reason
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
    for (const { row, source, compiled } of ready) {
      signal.throwIfAborted()
      const { html, text, sha256 } = compiled
      const { mailboxId, email, version: revision } = source
      const provider = await this.#providers.of(source.provider, row.tries)
      const order = { mailboxId, email, html, text, sha256, revision }
      await this.#end(row, await provider.install(order, signal), { revision, sha256 })
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
    return { failure: `The signature does not compile: ${error.message}` }
  }
}
