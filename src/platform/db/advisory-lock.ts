import type { Tx } from './tx.ts'

// Advisory locks protect what no row stands for, such as a free address or the order of a list. A lock's name says what it
// is a lock of, and contains the org's id. Two names with the same 64-bit hash would only wait for each other.

/** Waits for the lock with this name; the transaction has it alone until it ends. */
export async function lockExclusive(tx: Tx, name: string): Promise<void> {
  await tx.run({ text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))', values: [name] })
}

/** Waits for the lock with this name; until the transaction ends it shares the lock with others. */
export async function lockShared(tx: Tx, name: string): Promise<void> {
  await tx.run({ text: 'select pg_advisory_xact_lock_shared(hashtextextended($1, 0))', values: [name] })
}
