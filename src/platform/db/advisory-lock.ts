import { setTimeout as pause } from 'node:timers/promises'
import type { ClientBase } from 'pg'
import { type Sql, sql } from './sql.ts'
import type { Tx } from './tx.ts'

// An advisory lock protects something that no row represents, such as the order of a list. The
// lock's name contains the id of the org. Two names with the same 64-bit hash only wait for each
// other.

/** Waits for the lock with this name. No other transaction can get it until this one ends. */
export async function lockExclusive(tx: Tx, name: string): Promise<void> {
  await tx.run(exclusiveLock(name))
}

/** The statement of `lockExclusive`. */
export const exclusiveLock = (name: string): Sql =>
  sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`

/** Waits for the lock with this name, and shares it with other transactions until this one ends. */
export async function lockShared(tx: Tx, name: string): Promise<void> {
  await tx.run(sharedLock(name))
}

/** The statement of `lockShared`. */
export const sharedLock = (name: string): Sql =>
  sql`select pg_advisory_xact_lock_shared(hashtextextended(${name}, 0))`

/**
 * Waits for all locks with these names, in a fixed order: two transactions would deadlock
 * otherwise.
 */
export async function lockAllExclusive(tx: Tx, names: readonly string[]): Promise<void> {
  await tx.run(sql`
    select pg_advisory_xact_lock(ordered.hash) from (
      select distinct hashtextextended(name, 0) as hash from unnest(${names}::text[]) as name order by hash
    ) as ordered`)
}

/** Gets the lock with this name until the transaction ends, without waiting. Returns false if another transaction has it. */
export async function tryLockExclusive(tx: Tx, name: string): Promise<boolean> {
  const answer = await tx.first(sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as locked`)
  return answer?.locked === true
}

/**
 * Waits for the lock with this name, and keeps it until the connection ends. It polls, because a waiting statement
 * would keep its snapshot. The holder of the lock may build an index concurrently, which waits for all older snapshots.
 * @param onWait called before a wait
 */
export async function lockForSession(client: ClientBase, name: string, onWait: () => void): Promise<void> {
  if (await tryLockForSession(client, name)) return
  onWait()
  do await pause(pollMs)
  while (!(await tryLockForSession(client, name)))
}

const pollMs = 100

async function tryLockForSession(client: ClientBase, name: string): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    'select pg_try_advisory_lock(hashtextextended($1, 0)) as locked',
    [name],
  )
  return rows[0]?.locked === true
}
