import { deleteOldEffects } from '../approvals/effects.ts'
import type { SystemScope } from '../platform/db/system.ts'
import type { Log } from '../platform/log.ts'
import { repeatEvery } from '../platform/repeat-every.ts'
import { deleteOldToolCalls } from './call-keys.ts'

const intervalMs = 600_000
const rowsAtOnce = 1_000

/** Deletes old calls of tools every 10 minutes, until the returned function is called. */
export function sweepTools(scope: SystemScope, log: Log): () => Promise<void> {
  return repeatEvery(
    intervalMs,
    async (stopping) => {
      while ((await deleteOldToolCalls(scope, rowsAtOnce)) === rowsAtOnce && !stopping());
      while ((await deleteOldEffects(scope, rowsAtOnce)) === rowsAtOnce && !stopping());
    },
    (error) => log.warn({ err: error }, 'old calls of tools were not deleted; the next sweep deletes them'),
  )
}
