import tag, { type Sql as Fragment, join, raw } from 'sql-template-tag'
import type { Statement } from './statement.ts'

/** A statement, and the type of its rows. Inside another `sql`, it is a fragment of that statement. */
export type Sql<Row = unknown> = Fragment & { readonly row?: Row }

/**
 * A statement or a fragment. Each `${value}` becomes a parameter, and each `${fragment}` a part of
 * the text.
 */
export const sql = <Row = unknown>(strings: TemplateStringsArray, ...values: unknown[]): Sql<Row> =>
  tag(strings, ...values)

/** Inserts SQL text unchanged, such as a table or column name. Never pass text that a client sent. */
export const rawSql = (text: string): Sql => raw(text)

/** Joins fragments with `separator` between them. @throws TypeError if there are none */
export const joinSql = (fragments: readonly Sql[], separator = ', '): Sql => join(fragments, separator)

/**
 * Returns each row as an array of PostgreSQL's own text. Use it only for answers: after 4 MiB, further rows lose
 * their columns (row-bound.ts).
 */
export const withTextRows = <Row>({ text, values }: Sql<Row>): Statement<Row> => ({
  text,
  values,
  asText: true,
})

/**
 * Runs a statement without preparing it. Use it for rare statements, and for texts that vary much: preparing them would
 * fill the memory.
 */
export const unprepared = <Row>(statement: Statement<Row>): Statement<Row> => {
  const { text, values, asText = false } = statement
  return { text, values, asText, once: true }
}

/** Lets each connection plan a statement once, if one plan is good for all values. */
export const plannedOnce = <Row>({ text, values, asText = false }: Statement<Row>): Statement<Row> => ({
  text,
  values,
  asText,
  planOnce: true,
})

/** Wraps a statement of another library, whose parameters are $1, $2 and so on. */
export const foreignSql = <Row>(text: string, values: readonly unknown[]): Statement<Row> => ({
  text,
  values,
})
