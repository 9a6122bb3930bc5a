import type { OrgTx } from '../platform/db/org-tx.ts'
import { conflict, notFound } from '../platform/domain-error.ts'
import { findImport } from './imports.ts'
import { stopImport } from './progress.ts'
import type { Import } from './schema.ts'

/**
 * Ends an import that waits or runs. Stored lots stay, and a lot that is being written is rolled back. Canceling it again
 * changes nothing.
 * @throws DomainError conflict if the import has ended
 */
export async function cancelImport(tx: OrgTx, { import_id: importId, status }: Import): Promise<Import> {
  // An upload that is not complete is not an import yet.
  if (status === 'uploading') throw notFound('object_not_found', 'No import of this organization has this id')
  await stopImport(tx, importId)
  const found = await findImport(tx, importId)
  if (found.status !== 'canceled')
    throw conflict(
      'job_already_ended',
      'This import has ended: only an import that waits or runs can be canceled',
    )
  return found
}
