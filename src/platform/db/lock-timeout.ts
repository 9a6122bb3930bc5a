import { sql } from './sql.ts'
import type { Tx } from './tx.ts'

/** Sets how long each statement of the transaction waits for a lock, in milliseconds. */
export async function setLockTimeout(tx: Tx, timeoutMs: number): Promise<void> {
  await tx.run(sql`select set_config('lock_timeout', ${`${timeoutMs}ms`}, true)`)
}
