import type { ClientBase } from 'pg'
import { oneRow } from './one-row.ts'

const query = 'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms'

/**
 * Returns how many seconds the clock of this machine is ahead of PostgreSQL's, at least; below 0: behind. A slow answer does not
 * count as a difference: PostgreSQL's time must lie between the question and the answer.
 */
export async function compareClocks(client: ClientBase): Promise<number> {
  const before = Date.now()
  const { ms } = await oneRow<{ ms: number }>(client, query)
  const after = Date.now()
  return Math.trunc((before > ms ? before - ms : Math.min(0, after - ms)) / 1_000)
}
