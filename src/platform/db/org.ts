import type { Scope } from './scope.ts'
import type { Query } from './statement.ts'
import type { Tx } from './tx.ts'

type Transactions = Pick<Scope, 'transact' | 'read' | 'readRows'>

/**
 * One organization's data, and nothing else: whatever runs through this handle is bound to `orgId`, and forced
 * row-level security returns no other org's rows even to a statement that forgets to ask for its own.
 */
export class Org {
  readonly orgId: string
  readonly #transactions: Transactions

  constructor(orgId: string, transactions: Transactions) {
    this.orgId = orgId
    this.#transactions = transactions
  }

  /** Runs `work` in one transaction that commits whole or not at all; it may be run again after a deadlock. */
  transact<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    return this.#transactions.transact(work)
  }

  /** Runs reading statements in one read-only transaction. */
  read<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    return this.#transactions.read(work)
  }

  /** The rows of one reading statement, in one round trip. */
  readRows<Row>(query: Query<Row>): Promise<Row[]> {
    return this.#transactions.readRows(query)
  }

  /** The same org within `tx`, one of its transactions: whatever runs through it commits with that, or not at all. */
  within(tx: Tx): Org {
    return new Org(this.orgId, {
      transact: (work) => work(tx),
      read: (work) => work(tx),
      readRows: (query) => tx.rows(query),
    })
  }
}
