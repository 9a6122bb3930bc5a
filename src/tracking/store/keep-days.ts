import type { SystemScope } from '../../platform/db/system.ts'
import type { Log } from '../../platform/log.ts'
import { repeatNowAndEvery } from '../../platform/repeat-every.ts'
import { deleteOldCounts } from './counts.ts'
import { dropDays, firstKeptDay, makeDays } from './days.ts'
import { deleteOldFacts } from './identity-facts.ts'
import { deleteOldEvents } from './short-retention.ts'
import { deleteOldVisitors } from './visitors.ts'

const intervalMs = 600_000

/**
 * Creates the partitions of coming days, and deletes expired partitions: now, and every 10 minutes until the returned
 * function is called.
 * @param keptDays the maximum number of days that this server keeps events
 */
export function keepDays(scope: SystemScope, log: Log, keptDays: number): () => Promise<void> {
  const onError = (error: unknown) =>
    log.warn({ err: error }, 'days of web events were not made or deleted; the next try is in 10 minutes')
  const act = async (stopping: () => boolean) => {
    await scope.transact(makeDays)
    await deleteOldEvents(scope, keptDays, { stopping })
    await deleteOldVisitors(scope, firstKeptDay(keptDays, Date.now()))
    await deleteOldFacts(scope, firstKeptDay(keptDays, Date.now()))
    await deleteOldCounts(scope, keptDays)
    // Last, because a backup locks the days for as long as it runs.
    await scope.transact((tx) => dropDays(tx, keptDays))
  }
  return repeatNowAndEvery(intervalMs, act, onError)
}
