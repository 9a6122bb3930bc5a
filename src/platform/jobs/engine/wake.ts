import { sql } from '../../db/sql.ts'
import type { Tx } from '../../db/tx.ts'

/** The channel on which a commit tells the workers that a job was enqueued. */
export const wakeChannel = 'crosswalk_jobs'

/** Wakes every worker once `tx` has committed. */
export async function wakeWorkers(tx: Tx): Promise<void> {
  await tx.run(sql`select pg_notify(${wakeChannel}, '')`)
}
