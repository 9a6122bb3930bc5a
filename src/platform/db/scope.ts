import type { Pool, PoolClient } from 'pg'
import { BoundRead } from './bound-read.ts'
import { DatabaseUnavailable, isSerializationFailure, isUnavailable } from './errors.ts'
import { type Query, type Statement, toStatement } from './statement.ts'
import { send, Tx } from './tx.ts'

const attemptsMax = 4
const begin: Statement<never> = { text: 'begin', values: [] }
const beginRead: Statement<never> = { text: 'begin read only', values: [] }
const commit: Statement<never> = { text: 'commit', values: [] }
const rollback: Statement<never> = { text: 'rollback', values: [] }

/**
 * Opens transactions on one pool, each bound by `binding` (which org, which role) before anything else runs.
 * Every failure that means "not now" is thrown as DatabaseUnavailable.
 */
export class Scope {
  readonly #pool: Pool
  readonly #binding: Statement<unknown>
  readonly #prepared: WeakSet<PoolClient>

  /**
   * @param binding returns no rows
   * @param prepared the clients of `pool` on which `binding` is prepared; shared by all scopes of the pool
   */
  constructor(pool: Pool, binding: Statement<unknown>, prepared: WeakSet<PoolClient>) {
    this.#pool = pool
    this.#binding = binding
    this.#prepared = prepared
  }

  /**
   * Runs `work` in one transaction: all of it commits or none. Deadlocks and serialisation failures run it again
   * (so `work` has no effects but in the database); anything that `work` throws rolls back and is thrown on.
   */
  async transact<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#once(begin, work)
      } catch (error) {
        if (!isSerializationFailure(error) || attempt === attemptsMax) throw error
      }
    }
  }

  /** Like `transact` for statements that only read, on one snapshot per statement. */
  read<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    return this.#once(beginRead, work)
  }

  /** The rows of one reading statement, in a single round trip. */
  readRows<Row>(query: Query<Row>): Promise<Row[]> {
    return this.#withClient(async (client) => {
      if (!this.#prepared.has(client)) {
        // Outside a transaction it binds nothing; it is prepared by this.
        await send(client, this.#binding)
        this.#prepared.add(client)
      }
      return new Promise<Row[]>((resolve, reject) => {
        client.query(
          new BoundRead(this.#binding, toStatement(query), (error, rows) =>
            error ? reject(error) : resolve(rows as Row[]),
          ),
        )
      })
    })
  }

  #once<Result>(opening: Statement<never>, work: (tx: Tx) => Promise<Result>): Promise<Result> {
    return this.#withClient(async (client) => {
      const tx = new Tx(client)
      const opened = settled([send(client, opening), send(client, this.#binding)])
      // The first statements of `work` travel with BEGIN; if opening fails they fail too, and this says why.
      opened.catch(() => {})
      try {
        const result = await work(tx)
        await opened
        tx.end()
        const { command } = await send(client, commit)
        if (command !== 'COMMIT')
          throw new Error('The transaction was rolled back: a failed statement was ignored')
        return result
      } catch (error) {
        tx.end()
        await send(client, rollback).catch(() => {})
        throw await opened.then(
          () => error,
          (opening) => opening,
        )
      }
    })
  }

  async #withClient<Result>(work: (client: PoolClient) => Promise<Result>): Promise<Result> {
    let client: PoolClient
    try {
      client = await this.#pool.connect()
    } catch (error) {
      throw unavailable(error)
    }
    try {
      return await work(client)
    } catch (error) {
      throw isUnavailable(error) ? unavailable(error) : error
    } finally {
      // A client that is not idle by now lost its connection or its transaction: it must not be reused.
      client.release(client.getTransactionStatus() !== 'I')
    }
  }
}

/** Waits for all, so that no answer arrives unhandled, and throws the first failure. */
async function settled<T>(promises: Promise<T>[]): Promise<T[]> {
  const results = await Promise.allSettled(promises)
  for (const result of results) if (result.status === 'rejected') throw result.reason
  return results.map((result) => (result as PromiseFulfilledResult<T>).value)
}

function unavailable(error: unknown): DatabaseUnavailable {
  if (error instanceof DatabaseUnavailable) return error
  return new DatabaseUnavailable('The database cannot be reached', { cause: error })
}
