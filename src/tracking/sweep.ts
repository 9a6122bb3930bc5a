import { repeatAfterCommits } from '../platform/db/repeat-after-commits.ts'
import type { SystemScope } from '../platform/db/system.ts'
import type { Log } from '../platform/log.ts'
import { repeatNowAndEvery } from '../platform/repeat-every.ts'
import { deleteOldRefused, expireRequests } from './forms/call-back/expire.ts'
import { deleteOldSpam } from './forms/submissions/erase.ts'
import { deleteOldBots } from './store/bots.ts'
import { deleteOldSalts } from './store/daily-salts.ts'
import { finishErasures } from './store/erasure-queue.ts'
import { deleteOldTombstones } from './store/tombstones.ts'

const intervalMs = 600_000
const erasureMs = 2_000
const rowsPerDelete = 5_000

/** Deletes what has a shorter retention than other events, and expires call-back requests, in small transactions. */
export async function sweepOnce(scope: SystemScope, stopping = () => false, now = Date.now()): Promise<void> {
  for (const deleteOld of [
    deleteOldBots,
    deleteOldTombstones,
    deleteOldSpam,
    expireRequests,
    deleteOldRefused,
  ]) {
    let deleted: number
    do deleted = await scope.transact((tx) => deleteOld(tx, rowsPerDelete, now))
    while (deleted === rowsPerDelete && !stopping())
  }
  await scope.transact((tx) => deleteOldSalts(tx, now))
}

/** Sweeps now and every 10 minutes, until the returned function is called. Several processes may sweep at once. */
export function sweepTracking(scope: SystemScope, log: Log): () => Promise<void> {
  const onError = (error: unknown) =>
    log.warn(
      { err: error },
      'old web events of bots, old spam of forms, old call-back requests, old marks of erased events, or secrets of past days were not deleted; the next sweep deletes them',
    )
  return repeatNowAndEvery(intervalMs, (stopping) => sweepOnce(scope, stopping), onError)
}

/** Finishes erasures every 2 s, until the returned function is called. */
export function finishErasuresSoon(scope: SystemScope, log: Log): () => Promise<void> {
  return repeatAfterCommits(
    scope,
    { everyMs: erasureMs },
    (stopping) => finishErasures(scope, stopping),
    (error) => log.warn({ err: error }, 'an erasure of web events is not finished; the next try is in 2 s'),
  )
}
