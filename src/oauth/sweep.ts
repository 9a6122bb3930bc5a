import type { SystemScope } from '../platform/db/system.ts'
import type { Log } from '../platform/log.ts'
import { repeatEvery } from '../platform/repeat-every.ts'
import { deleteUnusedClients } from './clients.ts'
import { deleteExpiredItems } from './expired-items.ts'

const intervalMs = 600_000
const rowsAtOnce = 1_000

/** Deletes expired tokens and unused clients every 10 minutes, until the returned function is called. */
export function sweepOauth(scope: SystemScope, log: Log): () => Promise<void> {
  return repeatEvery(
    intervalMs,
    async (stopping) => {
      while ((await deleteExpiredItems(scope, rowsAtOnce)) === rowsAtOnce && !stopping());
      while ((await deleteUnusedClients(scope, rowsAtOnce)) === rowsAtOnce && !stopping());
    },
    (error) => log.warn({ err: error }, 'expired tokens were not deleted; the next sweep deletes them'),
  )
}
