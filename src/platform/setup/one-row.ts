import type { ClientBase, QueryResultRow } from 'pg'

/** Returns the row of a statement that always returns exactly one row. */
export async function oneRow<Row extends QueryResultRow>(
  client: ClientBase,
  text: string,
  values: unknown[] = [],
): Promise<Row> {
  const { rows } = await client.query<Row>(text, values)
  const [row] = rows
  if (!row) throw new Error(`This statement returned no row: ${text}`)
  return row
}
