import type { SystemScope } from '../platform/db/system.ts'
import type { Log } from '../platform/log.ts'
import { repeat } from '../platform/repeat.ts'
import { dropUnusedClients } from './clients.ts'
import { dropExpired } from './expired.ts'

const intervalMs = 600_000
const rowsAtOnce = 1_000

/** Deletes expired tokens and unused clients every 10 minutes, until the returned function is called. */
export function sweepOauth(scope: SystemScope, log: Log): () => Promise<void> {
  return repeat(
    intervalMs,
    async (stopping) => {
      while ((await dropExpired(scope)) === rowsAtOnce && !stopping());
      while ((await dropUnusedClients(scope)) === rowsAtOnce && !stopping());
    },
    (error) => log.warn({ err: error }, 'expired tokens were not deleted; the next sweep deletes them'),
  )
}
