import type { PoolClient } from 'pg'

/** PostgreSQL keeps each prepared statement in memory until the connection ends, so their number is limited. */
const statementsMax = 500

const unpreparing = new WeakSet<PoolClient>()
const preparedNames = new WeakMap<PoolClient, Set<string>>()

/** Lets a client prepare no statement: a pooler runs its next transaction on another connection of PostgreSQL. */
export function prepareNothing(client: PoolClient): void {
  unpreparing.add(client)
}

/** Whether a client may prepare statements. */
export const mayPrepare = (client: PoolClient): boolean => !unpreparing.has(client)

/** Notes that a statement is prepared on a connection under `name`. */
export function recordPrepared(client: PoolClient, name: string): void {
  const names = preparedNames.get(client)
  if (names) names.add(name)
  else preparedNames.set(client, new Set([name]))
}

/** Whether a statement is prepared on a connection under `name`. */
export function isPrepared(client: PoolClient, name: string): boolean {
  return preparedNames.get(client)?.has(name) ?? false
}

/** True if a connection has prepared too many statements and should be replaced by a new one. */
export function hasTooManyPrepared(client: PoolClient): boolean {
  return (preparedNames.get(client)?.size ?? 0) >= statementsMax
}
