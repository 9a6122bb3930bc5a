import type { PoolClient, QueryResult } from 'pg'
import { type Query, statementName, toStatement } from './statement.ts'

/**
 * One open transaction. Statements are sent as they are called, in order, without waiting for the ones
 * before: `await Promise.all([tx.rows(a), tx.rows(b)])` is one round trip.
 */
export class Tx {
  readonly #client: PoolClient
  #open = true

  constructor(client: PoolClient) {
    this.#client = client
  }

  /** The rows of `query`. */
  async rows<Row>(query: Query<Row>): Promise<Row[]> {
    return (await this.#send(query)).rows as Row[]
  }

  /** The first row of `query`, or undefined. */
  async first<Row>(query: Query<Row>): Promise<Row | undefined> {
    return (await this.rows(query))[0]
  }

  /** Runs `query`; how many rows it touched. */
  async run(query: Query<unknown>): Promise<number> {
    return (await this.#send(query)).rowCount ?? 0
  }

  #send(query: Query<unknown>): Promise<QueryResult> {
    if (!this.#open)
      throw new Error('This transaction has ended: a statement was sent after its callback returned')
    return send(this.#client, query)
  }

  end(): void {
    this.#open = false
  }
}

export function send(client: PoolClient, query: Query<unknown>): Promise<QueryResult> {
  const statement = toStatement(query)
  const { text, values } = statement
  const name = statementName(statement)
  return client.query(
    name ? { name, text, values: values as unknown[] } : { text, values: values as unknown[] },
  )
}
