import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from '../../platform/context.ts'
import { isUnavailable } from '../../platform/db/errors.ts'
import type { Org } from '../../platform/db/org.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { waitAfter } from '../../platform/jobs/retry.ts'
import type { Log } from '../../platform/log.ts'
import { type Compiled, TemplateFault } from '../compile/compile.ts'
import { compileAside } from '../compile/compiler.ts'
import { mailboxDeleted } from '../mailboxes/mailboxes.ts'
import type { SignatureSource } from '../mailboxes/sources.ts'
import type { InstallOrder } from '../order.ts'
import type { PushOutcome } from '../providers/provider.ts'
import { SignatureProviders } from '../providers/providers.ts'
import type { ProviderName, PushError } from '../schema.ts'
import { type Claimed, claimDue, isAnyDue, markInstalling } from './claims.ts'
import { installMetrics } from './metrics.ts'
import { postpone, recordOutcome } from './outcomes.ts'

/** How many batches are installed at once. Rollouts use fewer slots, so that a single push need not wait for them. */
const concurrency = 10
const rolloutConcurrency = 8
const batchMax = 10
/** How often a free slot looks for due deployments. */
const pollMs = 250
/** The duration of a turn. Then another org has its turn. */
const turnMs = 10_000
/**
 * While installs still run after the end of a turn, the installer starts further single pushes for this long. It starts
 * no rollouts.
 */
const overtimeMs = 60_000

/** Enqueues the next turn of the job, now or at `at`. */
export type EnqueueTurn = (tx: OrgTx, at?: Date) => Promise<void>

type CompiledPush = { claimed: Claimed; source: SignatureSource; compiled: Compiled }

/**
 * Compiles and installs due signatures of one organization and mode. No other installer works on them at the same
 * time.
 */
export class Installer {
  readonly #org: Org
  readonly #enqueueTurn: EnqueueTurn
  readonly #providers: SignatureProviders
  readonly #log: Log
  readonly #metrics: ReturnType<typeof installMetrics>

  constructor(context: Context, org: Org, enqueueTurn: EnqueueTurn) {
    this.#org = org
    this.#enqueueTurn = enqueueTurn
    this.#log = context.log
    this.#metrics = installMetrics(context)
    this.#providers = new SignatureProviders({ context, org })
  }

  /**
   * Installs until no deployment is due, or the turn ends. Returns whether more deployments are due.
   * @param now a clock in milliseconds
   */
  async installAll(signal: AbortSignal, now = () => performance.now()): Promise<boolean> {
    const running = new Set<Promise<void>>()
    const failures: unknown[] = []
    const endAt = now() + turnMs
    try {
      for (;;) {
        signal.throwIfAborted()
        if (failures.length > 0) throw failures[0]
        const overtime = now() - endAt
        const isOver = overtime > 0
        if (isOver && running.size === 0) return true
        const interactiveOnly = isOver || running.size >= rolloutConcurrency
        const mayClaim = running.size < concurrency && overtime < overtimeMs
        const claimed = mayClaim ? await this.#claim(interactiveOnly) : []
        if (claimed.length > 0) {
          const batch = this.#install(claimed, signal)
            .catch((error: unknown) => void failures.push(error))
            .finally(() => running.delete(batch))
          running.add(batch)
        } else if (running.size > 0) await Promise.race([...running, delay(pollMs)])
        // Look again for pushes and rollouts: other batches may have ended or failed since.
        else if (!interactiveOnly && failures.length === 0) {
          if (!(await this.#isAnyDue())) return false
          await delay(pollMs)
        }
      }
    } finally {
      await Promise.all(running)
    }
  }

  #claim(interactiveOnly: boolean): Promise<Claimed[]> {
    return this.#org.transact((tx) => claimDue(tx, batchMax, interactiveOnly))
  }

  #isAnyDue(): Promise<boolean> {
    return this.#org.read(isAnyDue)
  }

  async #install(batch: readonly Claimed[], signal: AbortSignal): Promise<void> {
    const ready: CompiledPush[] = []
    for (const claimed of batch) {
      const made = await compile(this.#org.orgId, claimed)
      if ('failure' in made) await this.#end(claimed, { outcome: 'failed', ...made.failure }, null)
      else ready.push({ claimed, ...made })
    }
    if (ready.length === 0) return
    const mailboxIds = ready.map(({ claimed }) => claimed.mailboxId)
    await this.#org.transact((tx) => markInstalling(tx, mailboxIds))
    // Install Gmail last, so that mailboxes of other providers do not wait for Gmail.
    const isSlow = ({ source }: CompiledPush) => Number(source.provider === 'gmail')
    for (const { claimed, source, compiled } of ready.toSorted((a, b) => isSlow(a) - isSlow(b))) {
      signal.throwIfAborted()
      const { html, text, sha256 } = compiled
      const { mailboxId, email, version: revision } = source
      const order = { mailboxId, email, html, text, sha256, revision, tries: claimed.tries }
      const outcome = await this.#try(order, source.provider, signal)
      this.#metrics.installs.inc({ provider: source.provider, outcome: outcome.outcome })
      await this.#end(claimed, outcome, { revision, sha256 })
    }
  }

  /** An error of one mailbox must not stop the installs of the others. */
  async #try(order: InstallOrder, name: ProviderName, signal: AbortSignal): Promise<PushOutcome> {
    try {
      const provider = await this.#providers.of(name)
      return await provider.install(order, signal)
    } catch (error) {
      if (signal.aborted || isUnavailable(error)) throw error
      this.#log.error({ err: error, mailbox_id: order.mailboxId }, 'a signature could not be installed')
      return {
        outcome: 'later',
        code: 'internal_error',
        message: 'Installing failed; the server’s log says why',
      }
    }
  }

  async #end(
    claimed: Claimed,
    outcome: PushOutcome,
    compiled: { revision: number; sha256: string } | null,
  ): Promise<void> {
    if (outcome.outcome !== 'later')
      return this.#org.transact((tx) => recordOutcome(tx, claimed, outcome, compiled))
    const { code, message, afterSeconds } = outcome
    const wait = waitAfter(claimed.tries, afterSeconds)
    if (wait === null) {
      const failed = {
        outcome: 'failed' as const,
        code,
        message: `${message} (tried ${claimed.tries} times)`,
      }
      return this.#org.transact((tx) => recordOutcome(tx, claimed, failed, compiled))
    }
    const at = new Date(Date.now() + wait)
    await this.#org.transact(async (tx) => {
      await Promise.all([
        postpone(tx, claimed, { code, message: `${message}; it will be retried` }, at),
        this.#enqueueTurn(tx, at),
      ])
    })
  }
}

const noTemplate: PushError = {
  code: 'template_missing',
  message: 'The mailbox no longer has a template. Give it one, and push it again.',
}

async function compile(
  orgId: string,
  { source }: Claimed,
): Promise<{ source: SignatureSource; compiled: Compiled } | { failure: PushError }> {
  if (source === null) return { failure: mailboxDeleted }
  if (source.template === null) return { failure: noTemplate }
  try {
    return { source, compiled: await compileAside(orgId, source.template, source.data) }
  } catch (error) {
    if (!(error instanceof TemplateFault)) throw error
    return {
      failure: { code: 'template_invalid', message: `The signature does not compile: ${error.placed}` },
    }
  }
}
