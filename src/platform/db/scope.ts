import { setTimeout as delay } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import { busyMs, wasBusy } from '../busy-thread.ts'
import { type NewSpan, traced } from '../tracing/trace.ts'
import { waitForAll } from '../wait-for-all.ts'
import { planningOnce } from './bindings.ts'
import type { Connections } from './connections.ts'
import {
  CommitUnknown,
  DatabaseUnavailable,
  isAbortedTransaction,
  isConnectionLoss,
  isConnectionTimeout,
  isRetryable,
  isStaleStatement,
  ThreadBusy,
  unwrapReadOnlyError,
} from './errors.ts'
import { hasTooManyPrepared, isPrepared, mayPrepare } from './prepared.ts'
import { type Binding, send } from './send.ts'
import type { Statement } from './statement.ts'
import { OpenTx, type Tx } from './tx.ts'
import { wireValues } from './wire.ts'

const attemptsMax = 4
/** The longest pause before the second attempt, in milliseconds. */
const pauseMs = 20
const begin: Binding = { name: 'begin', text: 'begin', values: [] }
const beginRead: Binding = { name: 'begin read', text: 'begin read only', values: [] }
const commit: Statement<never> = { name: 'commit', text: 'commit', values: [] }
const rollback: Statement<never> = { name: 'rollback', text: 'rollback', values: [] }

/** The time of a transaction includes the wait for a connection. */
const spanOf = (name: 'read' | 'transaction') => (): NewSpan => ({
  name: `postgresql ${name}`,
  kind: 'client',
  attributes: { 'db.system.name': 'postgresql', 'db.operation.name': name },
})
const asTransaction = spanOf('transaction')
const asRead = spanOf('read')

export type ScopeOptions = {
  connections: Connections
  /** Limits the connections that this scope's org uses. Work across orgs has no such limit, except requests of people. */
  limit?: <Result>(work: () => Promise<Result>) => Promise<Result>
  /** Sets the org or role of a transaction, before its other statements. */
  binding: Binding
  /**
   * Whether BEGIN and statements may be sent together. If BEGIN fails, the statements run without an org or role:
   * row-level security must then hide all rows and refuse all writes.
   */
  harmlessUnbound: boolean
}

/** Runs transactions and single statements on connections of one role. */
export class Scope {
  readonly #options: ScopeOptions

  constructor(options: ScopeOptions) {
    this.#options = options
  }

  /**
   * Runs `work` in one transaction that commits completely or not at all. After a deadlock, `work`
   * runs again, so its effects must be only in the database. A failed statement rolls back even if
   * `work` catches its error.
   * @throws CommitUnknown if the connection broke during the commit
   */
  transact<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    return traced(asTransaction, () => retryWhile(isRetryable, () => this.#once(begin, work)))
  }

  /** Does the same as `transact`, but read-only. Each statement sees its own snapshot. */
  read<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    return traced(asRead, () => retryWhile(isRetryable, () => this.#once(beginRead, work)))
  }

  /**
   * Runs statements in one transaction. They are sent together with BEGIN and COMMIT, so that a busy thread waits for
   * PostgreSQL only once. After a deadlock, they run again.
   * @throws CommitUnknown if the connection broke; the error of the first statement that failed, and then nothing took effect
   */
  runTogether(statements: readonly Statement<unknown>[]): Promise<void> {
    // PostgreSQL would commit without a statement whose values pg refuses, so refuse them first.
    for (const { values } of statements) wireValues(values)
    const attempt = () => this.#withClient((client) => this.#sendTogether(client, statements))
    return traced(asTransaction, () => retryWhile(isRetryable, attempt))
  }

  async #sendTogether(client: PoolClient, statements: readonly Statement<unknown>[]): Promise<void> {
    const opened = this.#open(client, begin)
    if (!this.#options.harmlessUnbound) await opened
    const sent = [opened, ...statements.map((each) => send(client, each)), commitOn(client)]
    const failed = (await Promise.allSettled(sent)).find(({ status }) => status === 'rejected')
    if (!failed) return
    const { reason } = failed as PromiseRejectedResult
    throw isConnectionLoss(reason) ? commitUnknown(reason) : reason
  }

  /** Returns the rows of one statement that only reads, in one round trip. Another connection repeats a stale statement. */
  readRows<Row>(query: Statement<Row>): Promise<Row[]> {
    const readOnce = async (client: PoolClient) => {
      const isPlannedOnce = query.planOnce && mayPrepare(client)
      const binding = isPlannedOnce ? planningOnce(this.#options.binding) : this.#options.binding
      // Outside a transaction, the binding only becomes prepared on the connection.
      if (mayPrepare(client) && !isPrepared(client, binding.name)) await send(client, binding)
      const { rows } = await send(client, query, binding)
      return rows as Row[]
    }
    return traced(asRead, () => retryWhile(isStaleStatement, () => this.#withClient(readOnce)))
  }

  #once<Result>(opening: Binding, work: (tx: Tx) => Promise<Result>): Promise<Result> {
    return this.#withClient(async (client) => {
      const tx = new OpenTx(client)
      const opened = this.#open(client, opening)
      opened.catch(() => tx.end())
      try {
        if (!this.#options.harmlessUnbound) await opened
        const result = await work(tx)
        await tx.finish()
        await opened
        await commitOn(client)
        tx.committed()
        return result
      } catch (error) {
        tx.end()
        if (!isConnectionLoss(error)) await send(client, rollback).catch(() => {})
        // If BEGIN failed, throw its error: the other statements failed only because of it.
        await opened
        const reported =
          tx.failure && (isRetryable(tx.failure.error) || isAbortedTransaction(error))
            ? tx.failure.error
            : error
        throw opening === beginRead ? unwrapReadOnlyError(reported) : reported
      }
    })
  }

  /** Sends BEGIN and the binding together, unless the connection must prepare BEGIN first. */
  #open(client: PoolClient, opening: Binding): Promise<unknown> {
    const { binding } = this.#options
    if (!mayPrepare(client) || isPrepared(client, opening.name)) return send(client, binding, opening)
    return waitForAll([send(client, opening), send(client, binding)])
  }

  #withClient<Result>(work: (client: PoolClient) => Promise<Result>): Promise<Result> {
    const { limit } = this.#options
    return limit ? limit(() => this.#withPooled(work)) : this.#withPooled(work)
  }

  /**
   * When a thread was busy, its timers fire before it reads answers. A wait that timed out only for this reason
   * starts again.
   */
  async #connect(): Promise<PoolClient> {
    for (let attempts = 1; ; attempts++) {
      const before = busyMs()
      try {
        return await this.#options.connections.take()
      } catch (error) {
        if (!isConnectionTimeout(error) || !wasBusy(before))
          throw new DatabaseUnavailable('The database cannot be reached', { cause: error })
        if (attempts === attemptsMax) throw new ThreadBusy('The thread is too busy', { cause: error })
      }
    }
  }

  async #withPooled<Result>(work: (client: PoolClient) => Promise<Result>): Promise<Result> {
    const client = await this.#connect()
    let reusable = true
    try {
      return await work(client)
    } catch (error) {
      reusable = !isConnectionLoss(error) && !isStaleStatement(error)
      throw error
    } finally {
      // A client that is not idle here has lost its connection or its transaction.
      const isUsable = reusable && client.getTransactionStatus() === 'I' && !hasTooManyPrepared(client)
      this.#options.connections.giveBack(client, isUsable)
    }
  }
}

async function commitOn(client: PoolClient): Promise<void> {
  const { command } = await send(client, commit).catch((error) => {
    throw isConnectionLoss(error) ? commitUnknown(error) : error
  })
  if (command !== 'COMMIT') throw new Error('The transaction was rolled back by one of its own statements')
}

const commitUnknown = (error: unknown) =>
  new CommitUnknown('The connection broke at COMMIT', { cause: (error as Error).cause })

/** Runs `attempt` up to 4 times, as long as `may` says that a retry can help. */
async function retryWhile<Result>(
  may: (error: unknown) => boolean,
  attempt: () => Promise<Result>,
): Promise<Result> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt()
    } catch (error) {
      if (!may(error)) throw error
      if (attempts === attemptsMax)
        throw new DatabaseUnavailable(`Failed ${attempts} times: ${(error as Error).message}`, {
          cause: error,
        })
      // Wait for a random time: transactions that deadlocked and begin again at once would meet again.
      if (!isStaleStatement(error)) await delay(Math.random() * pauseMs * attempts)
    }
  }
}
