import type { PoolClient, QueryResult } from 'pg'
import { send } from './send.ts'
import type { Statement } from './statement.ts'

export type Tx = Pick<OpenTx, 'rows' | 'first' | 'run' | 'afterCommit'>

/**
 * One open transaction. Statements are sent at once and in order, so `await Promise.all([tx.rows(a), tx.rows(b)])` is
 * one round trip.
 */
export class OpenTx {
  readonly #client: PoolClient
  #open = true
  #unsettled = new Set<Promise<unknown>>()
  #failure: { error: unknown } | null = null
  readonly #afterwards: (() => void)[] = []

  constructor(client: PoolClient) {
    this.#client = client
  }

  rows<Row>(query: Statement<Row>): Promise<Row[]> {
    return this.#answer(query, ({ rows }) => rows as Row[])
  }

  first<Row>(query: Statement<Row>): Promise<Row | undefined> {
    return this.#answer(query, ({ rows }) => rows[0] as Row | undefined)
  }

  /** Runs `query`. Returns the number of rows that it returned or changed. */
  run(query: Statement<unknown>): Promise<number> {
    return this.#answer(query, ({ rowCount }) => rowCount ?? 0)
  }

  /** Calls `act` after the commit, and never without a commit. `act` must not throw. */
  afterCommit(act: () => void): void {
    this.#afterwards.push(act)
  }

  committed(): void {
    for (const act of this.#afterwards) act()
  }

  /** The error of the first statement that failed; null if none failed. */
  get failure(): { error: unknown } | null {
    return this.#failure
  }

  /** Ends the transaction object, which then refuses all statements. */
  end(): void {
    this.#open = false
  }

  /**
   * Ends the transaction. Refuses the commit if a statement failed, because PostgreSQL does not know of statements
   * that pg refused.
   * @throws the error of a failed statement, even if it was caught; Error if statements were still running
   */
  async finish(): Promise<void> {
    this.end()
    const early = this.#unsettled.size > 0
    // Do not commit: the code that awaits these statements may send further ones, and `end` has made those fail.
    if (early) await Promise.allSettled(this.#unsettled)
    if (this.#failure) throw this.#failure.error
    if (early)
      throw new Error(
        'The transaction was rolled back: its callback returned before its statements were done',
      )
  }

  // A caller that stops at the first failure does not handle later rejections, so handle them here too.
  #answer<Answer>(query: Statement<unknown>, read: (result: QueryResult) => Answer): Promise<Answer> {
    const answer = this.#open ? send(this.#client, query).then(read) : Promise.reject(transactionEnded())
    this.#unsettled.add(answer)
    answer.then(
      () => this.#unsettled.delete(answer),
      (error) => {
        this.#unsettled.delete(answer)
        this.#failure ??= { error }
      },
    )
    return answer
  }
}

function transactionEnded(): Error {
  return new Error('This transaction has ended: a statement was sent after its callback returned')
}
