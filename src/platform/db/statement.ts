import { hash } from 'node:crypto'
import {
  type Compilable,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
} from 'kysely'
import type { Tables } from './tables.ts'

/** Kysely as a typed statement builder alone: transactions, pipelining and roles stay in `tx.ts`. */
export const build: Kysely<Tables> = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

/**
 * SQL with its parameters, and the type of the rows that it returns. `once`: one of so many texts that preparing
 * each would fill the memory of every connection.
 */
export type Statement<Row> = {
  text: string
  values: readonly unknown[]
  /** What to prepare it under, however many others there are. */
  name?: string
  once?: boolean
  /** Rows as arrays of PostgreSQL's own text, instead of objects of parsed values. */
  asText?: boolean
  readonly row?: Row
}

export type Query<Row> = Statement<Row> | Compilable<Row> | RawBuilder<Row>

/** A statement from whatever a feature wrote: Kysely's builders, its `sql` fragments, or text and values. */
export function toStatement<Row>(query: Query<Row>): Statement<Row> {
  if ('text' in query) return query
  const compiled = isRaw(query) ? query.compile(build) : query.compile()
  return { text: compiled.sql, values: compiled.parameters }
}

function isRaw<Row>(query: Compilable<Row> | RawBuilder<Row>): query is RawBuilder<Row> {
  return 'isRawBuilder' in query
}

// Texts in the order of their last use, with their names; null: used once.
const recent = new Map<string, string | null>()
const recentMax = 1_000

/**
 * A name to prepare the statement under; undefined for one that is not worth it. Those get one that come again before a
 * thousand others did, whatever came before: filters combine to more texts than a connection should keep (prepared.ts).
 */
export function statementName({ name: given, text, once }: Statement<unknown>): string | undefined {
  if (given !== undefined || once) return given
  const known = recent.get(text)
  const name = known === undefined ? null : (known ?? hash('sha256', text, 'base64url').slice(0, 22))
  recent.delete(text)
  recent.set(text, name)
  if (recent.size > recentMax) recent.delete(recent.keys().next().value!)
  return name ?? undefined
}
