import type { Actor } from '../actor.ts'
import { OrgTx } from './org-tx.ts'
import type { Scope } from './scope.ts'
import type { Statement } from './statement.ts'

type Transactions = Pick<Scope, 'transact' | 'read' | 'readRows'>

/**
 * A handle to the data of one organization. Forced row-level security hides all other
 * organizations, even from a statement without a condition on `org_id`.
 */
export class Org {
  readonly orgId: string
  readonly actor: Actor
  /** Caller.payerId: the owner of the slices of this handle's transactions. */
  readonly payerId: string
  /** Whether all work of this handle belongs to an open transaction. */
  readonly isInTransaction: boolean
  readonly #transactions: Transactions

  constructor(
    actor: Actor,
    transactions: Transactions,
    { isInTransaction = false, payerId = actor.orgId }: { isInTransaction?: boolean; payerId?: string } = {},
  ) {
    this.orgId = actor.orgId
    this.payerId = payerId
    this.actor = actor
    this.#transactions = transactions
    this.isInTransaction = isInTransaction
  }

  /** Runs `work` in one transaction that commits completely or not at all. After a deadlock, `work` may run again. */
  transact<Result>(work: (tx: OrgTx) => Promise<Result>): Promise<Result> {
    return this.#transactions.transact((tx) => work(new OrgTx(tx, this.actor, this.payerId)))
  }

  /** Runs `work`, whose statements only read, in one read-only transaction. */
  read<Result>(work: (tx: OrgTx) => Promise<Result>): Promise<Result> {
    return this.#transactions.read((tx) => work(new OrgTx(tx, this.actor, this.payerId)))
  }

  /** Returns the rows of one statement that only reads, in one round trip. */
  readRows<Row>(query: Statement<Row>): Promise<Row[]> {
    return this.#transactions.readRows(query)
  }

  /**
   * Yields the items of `work` in one read-only transaction, which ends after the last item. Unlike
   * `read`, never runs `work` again.
   */
  async *stream<Item>(work: (tx: OrgTx) => AsyncIterable<Item>): AsyncGenerator<Item, void> {
    const opened = Promise.withResolvers<OrgTx>()
    const taken = Promise.withResolvers<void>()
    const transaction = this.read((tx) => {
      opened.resolve(tx)
      return taken.promise
    })
    transaction.catch(opened.reject)
    try {
      yield* work(await opened.promise)
    } finally {
      taken.resolve()
      await transaction
    }
  }

  /** A handle to the same organization, each of whose transactions is a step that `runStep` begins when it may. */
  inSteps(runStep: <Result>(step: () => Promise<Result>) => Promise<Result>): Org {
    const transactions: Transactions = {
      transact: (work) => runStep(() => this.#transactions.transact(work)),
      read: (work) => runStep(() => this.#transactions.read(work)),
      readRows: (query) => runStep(() => this.#transactions.readRows(query)),
    }
    return new Org(this.actor, transactions, { payerId: this.payerId })
  }

  /**
   * A handle to the same organization that works within `tx`, an open transaction. The work commits or rolls back
   * with `tx`.
   */
  within(tx: OrgTx): Org {
    const transactions: Transactions = {
      transact: (work) => work(tx),
      read: (work) => work(tx),
      readRows: (query) => tx.rows(query),
    }
    return new Org(this.actor, transactions, { isInTransaction: true, payerId: this.payerId })
  }
}
