import { type Connection, Query, type QueryResult } from 'pg'
import { type Statement, statementName } from './statement.ts'
import { wireValues } from './wire.ts'

type Prepare = { prepare(connection: Connection): void }
type Wire = { bind(options: object): void; execute(options: object): void }

/** A statement that says for whom a transaction runs. It returns no rows, and is prepared under its own name. */
export type Binding = Statement<never> & { name: string }

/**
 * One reading statement behind the statement that binds its transaction, with a single Sync after both: PostgreSQL
 * runs them as one implicit transaction and answers once, where BEGIN, binding, statement and COMMIT answer four times.
 * (Measured here: 1.4 times the reads.) If the binding fails, the statement is not run. The binding must have been
 * prepared on this connection.
 * https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING
 */
export class BoundRead extends Query {
  readonly #binding: Binding

  /** @throws TypeError if a value does not serialise: nothing was sent then */
  constructor(
    binding: Binding,
    read: Statement<unknown>,
    done: (error: Error | null, rows: unknown[]) => void,
  ) {
    const callback = (error: Error | null, results: QueryResult[]) => done(error, results?.at(-1)?.rows ?? [])
    // Without 'extended', a statement with neither name nor values would skip `prepare` below, and so its binding.
    const queryMode = 'extended'
    super({
      name: statementName(read),
      text: read.text,
      values: wireValues(read.values),
      queryMode,
      callback,
    } as never)
    this.#binding = binding
  }

  /** Called by pg between cork and uncork, so that all of it leaves in one packet. */
  prepare(connection: Connection): void {
    const wire = connection as unknown as Wire
    wire.bind({ statement: this.#binding.name, values: this.#binding.values })
    wire.execute({})
    ;(Query.prototype as unknown as Prepare).prepare.call(this, connection)
  }
}
