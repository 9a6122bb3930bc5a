import type { SystemScope } from '../platform/db/system.ts'
import type { Log } from '../platform/log.ts'
import { repeatEvery } from '../platform/repeat-every.ts'
import { deleteExpired } from './sessions.ts'

const intervalMs = 600_000
const rowsPerDelete = 1_000

/** Deletes expired sessions and links every 10 minutes, until the returned function is called. */
export function sweepSessions(scope: SystemScope, log: Log): () => Promise<void> {
  return repeatEvery(
    intervalMs,
    async (stopping) => {
      let dropped: number
      do dropped = await scope.transact((tx) => deleteExpired(tx, rowsPerDelete))
      while (dropped === rowsPerDelete && !stopping())
    },
    (error) => log.warn({ err: error }, 'expired sessions were not deleted; the next sweep deletes them'),
  )
}
