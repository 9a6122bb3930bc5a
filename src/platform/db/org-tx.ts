import type { Actor } from '../actor.ts'
import type { Statement } from './statement.ts'
import type { Tx } from './tx.ts'

/**
 * A transaction that works on one organization. Row-level security limits a transaction of `Org` to this
 * organization. It does not limit operator commands, which use the system role.
 */
export class OrgTx implements Tx {
  readonly orgId: string
  readonly actor: Actor
  /** The owner of slices of this transaction (Caller.payerId): an agency would get a share of the thread for each client otherwise. */
  readonly payerId: string
  readonly #tx: Tx

  constructor(tx: Tx, actor: Actor, payerId: string = actor.orgId) {
    this.orgId = actor.orgId
    this.payerId = payerId
    this.actor = actor
    this.#tx = tx
  }

  rows<Row>(query: Statement<Row>): Promise<Row[]> {
    return this.#tx.rows(query)
  }

  first<Row>(query: Statement<Row>): Promise<Row | undefined> {
    return this.#tx.first(query)
  }

  run(query: Statement<unknown>): Promise<number> {
    return this.#tx.run(query)
  }

  afterCommit(act: () => void): void {
    this.#tx.afterCommit(act)
  }
}
