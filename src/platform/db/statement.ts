import { hash } from 'node:crypto'

/**
 * SQL with its parameters, and the type of the rows that it returns. With `once`, the statement is not prepared,
 * because its text varies so much that it would fill the memory of every connection.
 */
export type Statement<Row> = {
  text: string
  values: readonly unknown[]
  /** The name under which the statement is prepared. */
  name?: string
  once?: boolean
  /**
   * Rows are arrays of PostgreSQL's own text, instead of objects of parsed values. After 4 MiB, further rows are
   * empty.
   */
  asText?: boolean
  readonly row?: Row
}

// Texts in the order of their last use, each with its name. null: used only once so far.
const recent = new Map<string, string | null>()
const recentMax = 1_000

/**
 * The name under which a statement is prepared; undefined for a rare statement. A statement gets a name if its text
 * is used again within the next 1,000 different texts. Combinations of filters give more different texts than a
 * connection should keep prepared (prepared.ts).
 */
export function statementName({ name: given, once }: Statement<unknown>, text: string): string | undefined {
  if (given !== undefined || once) return given
  const known = recent.get(text)
  const name = known === undefined ? null : (known ?? hash('sha256', text, 'base64url').slice(0, 22))
  recent.delete(text)
  recent.set(text, name)
  for (const oldest of recent.keys()) {
    if (recent.size <= recentMax) break
    recent.delete(oldest)
  }
  return name ?? undefined
}
