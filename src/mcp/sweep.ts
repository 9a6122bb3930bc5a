import { dropOldEffects } from '../approvals/effects.ts'
import type { SystemScope } from '../platform/db/system.ts'
import type { Log } from '../platform/log.ts'
import { repeat } from '../platform/repeat.ts'
import { dropOldCalls } from './repeats.ts'

const intervalMs = 600_000
const rowsAtOnce = 1_000

/** Deletes old calls of tools every 10 minutes, until the returned function is called. */
export function sweepTools(scope: SystemScope, log: Log): () => Promise<void> {
  return repeat(
    intervalMs,
    async (stopping) => {
      while ((await dropOldCalls(scope)) === rowsAtOnce && !stopping());
      while ((await dropOldEffects(scope)) === rowsAtOnce && !stopping());
    },
    (error) => log.warn({ err: error }, 'old calls of tools were not deleted; the next sweep deletes them'),
  )
}
