import type { Actor } from '../../platform/actor.ts'
import type { Context } from '../../platform/context.ts'
import { sql } from '../../platform/db/sql.ts'
import type { SystemScope } from '../../platform/db/system.ts'
import { repeatEvery } from '../../platform/repeat-every.ts'
import { installSignatures } from './install-signatures.ts'

const intervalMs = 60_000
/** After this time, a due deployment must have a job. */
const graceSeconds = 60

/**
 * Enqueues a job for each org and mode that has due deployments and no job. This can happen with two processes: one
 * loses its job, and claims another deployment after the other process looked for due deployments for the last time.
 */
export async function requeueStranded(scope: SystemScope, { jobs }: Pick<Context, 'jobs'>): Promise<void> {
  await scope.transact(async (tx) => {
    const stranded = await tx.rows(sql<{ org_id: string; mode: Actor['mode'] }>`
      select distinct org_id, mode from signature_deployment
      where asked > done and try_at < now() - ${graceSeconds} * interval '1 second'`)
    await jobs.enqueueMissing(tx, installSignatures, stranded)
  })
}

/**
 * Requeues stranded deployments once a minute. Several processes may run this at once. Returns a function that stops
 * it.
 */
export function sweepSignatures(scope: SystemScope, context: Context): () => Promise<void> {
  return repeatEvery(
    intervalMs,
    () => requeueStranded(scope, context),
    (error) =>
      context.log.warn({ err: error }, 'stranded signatures were not requeued; retrying in a minute'),
  )
}
