import { sql } from '../../db/sql.ts'
import type { Tx } from '../../db/tx.ts'

/** The channel that notifies workers of new jobs at the commit. */
export const wakeChannel = 'crosswalk_jobs'

/** Notifies every worker when `tx` commits. */
export async function wakeWorkers(tx: Tx): Promise<void> {
  await tx.run(sql`select pg_notify(${wakeChannel}, '')`)
}
