import type { OrgTx } from '../platform/db/org-tx.ts'
import { conflict } from '../platform/domain-error.ts'
import { endBulkChange } from './progress.ts'
import { readBulkChange } from './read.ts'
import type { BulkChange } from './schema.ts'

/**
 * Ends a bulk change that waits or runs. A step that is being written is completed first. Canceling it again changes
 * nothing.
 * @throws DomainError not_found; conflict if the change has ended
 */
export async function cancelBulkChange(tx: OrgTx, id: string): Promise<BulkChange> {
  await endBulkChange(tx, id, 'canceled')
  const found = await readBulkChange(tx, id)
  if (found.status !== 'canceled')
    throw conflict(
      'job_already_ended',
      'This bulk change has ended: only a change that waits or runs can be canceled',
    )
  return found
}
