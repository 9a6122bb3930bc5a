import { sql } from '../platform/db/sql.ts'
import type { SystemScope } from '../platform/db/system.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { Log } from '../platform/log.ts'
import { repeatEvery } from '../platform/repeat-every.ts'

const intervalMs = 3_600_000

/** Creates the partitions of the months that begin within 4 months. Returns how many were missing. */
export async function makeMonths(tx: Tx): Promise<number> {
  const row = await tx.first(sql<{ made: number }>`select app.make_event_months() as made`)
  return row?.made ?? 0
}

/** Creates the partitions of coming months now, and every hour until the returned function is called. */
export function keepMonths(scope: SystemScope, log: Log): () => Promise<void> {
  const onError = (error: unknown) =>
    log.error(
      { err: error },
      'months of the event log were not made; the next try is in an hour. Without a partition for the current month, no write succeeds',
    )
  const act = () => scope.transact(makeMonths)
  const first = act().catch(onError)
  const stop = repeatEvery(intervalMs, act, onError)
  return async () => {
    await Promise.all([first, stop()])
  }
}
