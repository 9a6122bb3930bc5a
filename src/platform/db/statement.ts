import { hash } from 'node:crypto'

/**
 * SQL with parameters, and the type of its rows. With `once`, it is not prepared: texts that vary would fill the
 * memory of every connection.
 */
export type Statement<Row> = {
  text: string
  values: readonly unknown[]
  name?: string
  once?: boolean
  /**
   * Rows are arrays of PostgreSQL's own text, instead of objects of parsed values. After 4 MiB, further rows are
   * empty.
   */
  asText?: boolean
  /**
   * Whether one plan is good for all values. Then each connection plans the statement once. Without this, PostgreSQL
   * decides, and it often plans again for each use. Only single reads use this.
   */
  planOnce?: boolean
  readonly row?: Row
}

// Texts in the order of their last use, each with its name. null: used once so far.
const recent = new Map<string, string | null>()
const recentMax = 1_000

/**
 * The name of a prepared statement; undefined for a rare statement. A text gets a name at its second use within 1,000
 * different texts. Combinations of filters make more texts than a connection should prepare (prepared.ts).
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
