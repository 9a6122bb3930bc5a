import { sql } from './sql.ts'
import type { Tx } from './tx.ts'

/**
 * Sets how long each statement of the transaction waits for a lock, in milliseconds. The usual limit of a statement does
 * not end this wait.
 */
export async function setLockTimeout(tx: Tx, timeoutMs: number): Promise<void> {
  await tx.run(sql`
    select set_config('lock_timeout', ${`${timeoutMs}ms`}, true),
      set_config('statement_timeout', case setting when '0' then '0' else greatest(setting::int, ${timeoutMs}) || 'ms' end, true)
    from pg_settings where name = 'statement_timeout'`)
}
