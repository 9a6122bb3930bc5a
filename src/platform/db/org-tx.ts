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
  readonly #tx: Tx

  constructor(tx: Tx, actor: Actor) {
    this.orgId = actor.orgId
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
