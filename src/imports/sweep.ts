import type { Context } from '../platform/context.ts'
import type { SystemScope } from '../platform/db/system.ts'
import { repeat } from '../platform/repeat.ts'
import { dropBrokenUpload } from './imports.ts'
import { endImport, leftBehind } from './progress.ts'
import type { ImportError } from './schema.ts'

const intervalMs = 600_000
const whyLeft: ImportError = {
  code: 'interrupted',
  message: 'The command that imported it broke off. What it created is there, and can be reverted.',
}

/**
 * Forgets every upload that broke off with its process, each in a transaction of its own: they may be large. Ends imports
 * whose command broke off: what they created is looked at for duplicates then.
 */
export async function sweepOnce(
  scope: SystemScope,
  { database }: Pick<Context, 'database'>,
  stopping = () => false,
): Promise<void> {
  let dropped: number
  do dropped = await scope.transact(dropBrokenUpload)
  while (dropped > 0 && !stopping())
  const errors: unknown[] = []
  for (const { actor, importId } of await leftBehind(scope)) {
    if (stopping()) return
    const ended = database.org(actor.orgId).transact((tx) => endImport(tx, actor, importId, whyLeft))
    // One that cannot be ended right now keeps no other one waiting.
    await ended.catch((error) => errors.push(error))
  }
  for (const error of errors) throw error
}

/** Sweeps every ten minutes. Any number of processes may do so at once. Returns how to stop. */
export function sweepImports(scope: SystemScope, context: Context): () => Promise<void> {
  return repeat(
    intervalMs,
    (stopping) => sweepOnce(scope, context, stopping),
    (error) => context.log.warn({ err: error }, 'imports that broke off were not ended; later'),
  )
}
