import type { SystemScope } from '../platform/db/system.ts'
import type { Log } from '../platform/log.ts'
import { repeat } from '../platform/repeat.ts'
import { dropBrokenUpload } from './imports.ts'

const intervalMs = 600_000

/** Forgets every upload that broke off with its process, each in a transaction of its own: they may be large. */
export async function sweepOnce(scope: SystemScope, stopping = () => false): Promise<void> {
  let dropped: number
  do dropped = await scope.transact(dropBrokenUpload)
  while (dropped > 0 && !stopping())
}

/** Sweeps every ten minutes. Any number of processes may do so at once. Returns how to stop. */
export function sweepUploads(scope: SystemScope, log: Log): () => Promise<void> {
  return repeat(
    intervalMs,
    (stopping) => sweepOnce(scope, stopping),
    (error) => log.warn({ err: error }, 'uploads that broke off were not deleted; later'),
  )
}
