import { sql } from '../platform/db/sql.ts'
import type { SystemScope } from '../platform/db/system.ts'
import type { Tx } from '../platform/db/tx.ts'
import type { EventRetention } from '../platform/event-retention.ts'
import type { Log } from '../platform/log.ts'
import { repeatNowAndEvery } from '../platform/repeat-every.ts'
import { dropOldMonths } from './retention/drop-old-months.ts'

const intervalMs = 600_000

/** Creates the partitions of the months that begin within 4 months. Returns how many were missing. */
export async function makeMonths(tx: Tx): Promise<number> {
  const row = await tx.first(sql<{ made: number }>`select app.make_event_months() as made`)
  return row?.made ?? 0
}

/**
 * Creates the partitions of coming months, and exports and drops months that are too old: now, and every 10 minutes
 * until the returned function is called.
 * @param retention null: events are kept forever
 */
export function keepMonths(
  scope: SystemScope,
  log: Log,
  retention: EventRetention | null,
): () => Promise<void> {
  const act = async (stopping: () => boolean) => {
    await scope
      .transact(makeMonths)
      .catch((error) =>
        log.error(
          { err: error },
          'months of the event log were not made; the next try is in 10 minutes. Without a partition for the current month, no write succeeds',
        ),
      )
    if (retention && !stopping()) await dropOldMonths(scope, log, retention, { stopping })
  }
  const onError = (error: unknown) =>
    log.warn({ err: error }, 'an old month of the event log was not dropped; the next try is in 10 minutes')
  return repeatNowAndEvery(intervalMs, act, onError)
}
