import type { PoolClient, QueryResult } from 'pg'
import { send } from './send.ts'
import type { Statement } from './statement.ts'

/** What work in a transaction may do with it. */
export type Tx = Pick<OpenTx, 'rows' | 'first' | 'run' | 'afterCommit'>

/**
 * One open transaction. Statements are sent as they are called, in order, without waiting for the ones
 * before: `await Promise.all([tx.rows(a), tx.rows(b)])` is one round trip.
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

  /** The rows of `query`. */
  rows<Row>(query: Statement<Row>): Promise<Row[]> {
    return this.#answer(query, ({ rows }) => rows as Row[])
  }

  /** The first row of `query`, or undefined. */
  first<Row>(query: Statement<Row>): Promise<Row | undefined> {
    return this.#answer(query, ({ rows }) => rows[0] as Row | undefined)
  }

  /** Runs `query`; how many rows it touched. */
  run(query: Statement<unknown>): Promise<number> {
    return this.#answer(query, ({ rowCount }) => rowCount ?? 0)
  }

  /** Has `act` run once the transaction has committed, and never if it does not. It must not throw. */
  afterCommit(act: () => void): void {
    this.#afterwards.push(act)
  }

  /** Runs what waits for the commit. */
  committed(): void {
    for (const act of this.#afterwards) act()
  }

  /** What the first statement that failed threw; null if none did. */
  get failure(): { error: unknown } | null {
    return this.#failure
  }

  /** Takes no more statements. */
  end(): void {
    this.#open = false
  }

  /**
   * Ends it, and makes sure that it may commit: pg refuses some statements itself, of which PostgreSQL knows nothing
   * and would commit the rest.
   * @throws what a failed statement threw, also if that was caught; Error if statements were still on their way
   */
  async finish(): Promise<void> {
    this.end()
    const early = this.#unsettled.size > 0
    // Whoever waits for these may send more, which is refused, and must not be committed without.
    if (early) await Promise.allSettled(this.#unsettled)
    if (this.#failure) throw this.#failure.error
    if (early)
      throw new Error(
        'The transaction was rolled back: its callback returned before its statements were done',
      )
  }

  // Handled here as well: a caller that gives up at the first failure never looks at the ones behind it.
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
