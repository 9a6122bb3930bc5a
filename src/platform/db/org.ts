import type { Scope } from './scope.ts'
import type { Query } from './statement.ts'
import type { Tx } from './tx.ts'

/**
 * One organization's data, and nothing else: whatever runs through this handle is bound to `orgId`, and forced
 * row-level security returns no other org's rows even to a statement that forgets to ask for its own.
 */
export class Org {
  readonly orgId: string
  readonly #scope: Scope

  constructor(orgId: string, scope: Scope) {
    this.orgId = orgId
    this.#scope = scope
  }

  /** Runs `work` in one transaction that commits whole or not at all; it may be run again after a deadlock. */
  transact<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    return this.#scope.transact(work)
  }

  /** Runs reading statements in one read-only transaction. */
  read<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    return this.#scope.read(work)
  }

  /** The rows of one reading statement, in one round trip. */
  readRows<Row>(query: Query<Row>): Promise<Row[]> {
    return this.#scope.readRows(query)
  }
}
