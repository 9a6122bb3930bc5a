import type { Actor } from '../actor.ts'
import { OrgTx } from './org-tx.ts'
import type { Scope } from './scope.ts'
import type { Statement } from './statement.ts'

type Transactions = Pick<Scope, 'transact' | 'read' | 'readRows'>

/**
 * A handle to the data of one organization. All its statements are bound to `orgId`. Forced row-level security returns no
 * rows of another organization, also to a statement without a condition on `org_id`.
 */
export class Org {
  readonly orgId: string
  /** The actor that the events of this handle's transactions name. */
  readonly actor: Actor
  readonly #transactions: Transactions

  constructor(actor: Actor, transactions: Transactions) {
    this.orgId = actor.orgId
    this.actor = actor
    this.#transactions = transactions
  }

  /** Runs `work` in one transaction that commits whole or not at all; it may be run again after a deadlock. */
  transact<Result>(work: (tx: OrgTx) => Promise<Result>): Promise<Result> {
    return this.#transactions.transact((tx) => work(new OrgTx(tx, this.actor)))
  }

  /** Runs reading statements in one read-only transaction. */
  read<Result>(work: (tx: OrgTx) => Promise<Result>): Promise<Result> {
    return this.#transactions.read((tx) => work(new OrgTx(tx, this.actor)))
  }

  /** The rows of one reading statement, in one round trip. */
  readRows<Row>(query: Statement<Row>): Promise<Row[]> {
    return this.#transactions.readRows(query)
  }

  /** The same organization within `tx`, one of its transactions: its work commits with `tx`, or not at all. */
  within(tx: OrgTx): Org {
    return new Org(this.actor, {
      transact: (work) => work(tx),
      read: (work) => work(tx),
      readRows: (query) => tx.rows(query),
    })
  }
}
