import type { Context } from '../platform/context.ts'
import type { SystemScope } from '../platform/db/system.ts'
import { repeatEvery } from '../platform/repeat-every.ts'
import { deleteStaleUpload } from './imports.ts'
import { failImport, findInterrupted } from './progress.ts'
import type { ImportError } from './schema.ts'

const intervalMs = 600_000
const interrupted: ImportError = {
  code: 'interrupted',
  message:
    'The command stopped before the import ended. The records that it created still exist; the import can be reverted.',
}

/**
 * Deletes uploads whose process died, each in its own transaction. Ends imports whose command died, so that their
 * records are checked for duplicates.
 */
export async function sweepOnce(
  scope: SystemScope,
  { database }: Pick<Context, 'database'>,
  stopping = () => false,
): Promise<void> {
  let deleted: number
  do deleted = await scope.transact(deleteStaleUpload)
  while (deleted > 0 && !stopping())
  const errors: unknown[] = []
  for (const { actor, importId } of await findInterrupted(scope)) {
    if (stopping()) return
    const org = database.org(actor.orgId, actor)
    // Continue with the next import if this one cannot be ended.
    await org.transact((tx) => failImport(tx, importId, interrupted)).catch((error) => errors.push(error))
  }
  for (const error of errors) throw error
}

/** Sweeps every ten minutes. Several processes may sweep at once. Returns a function that stops it. */
export function sweepImports(scope: SystemScope, context: Context): () => Promise<void> {
  return repeatEvery(
    intervalMs,
    (stopping) => sweepOnce(scope, context, stopping),
    (error) => context.log.warn({ err: error }, 'interrupted imports were not ended; retrying in 10 minutes'),
  )
}
