import { hash } from 'node:crypto'

/**
 * SQL with its parameters, and the type of the rows that it returns. `once`: do not prepare it, because its text varies
 * so much that it would fill the memory of every connection.
 */
export type Statement<Row> = {
  text: string
  values: readonly unknown[]
  /** The name to prepare the statement under. */
  name?: string
  once?: boolean
  /** Rows as arrays of PostgreSQL's own text, instead of objects of parsed values. */
  asText?: boolean
  readonly row?: Row
}

// Texts in the order of their last use, with their names; null: used only once so far.
const recent = new Map<string, string | null>()
const recentMax = 1_000

/**
 * A name to prepare the statement under; undefined for a rare statement. A statement gets a name if it is used again
 * within the next 1,000 different texts. Filters combine to more texts than a connection should keep (prepared.ts).
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
