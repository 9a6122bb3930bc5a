import type { OrgTx } from '../platform/db/org-tx.ts'
import { conflict } from '../platform/domain-error.ts'
import { readOrgDefaults } from './create.ts'
import { requireUniqueValues } from './defined-fields/unique-values.ts'
import { lockRecord } from './lock.ts'
import { requireReached } from './owners/reach.ts'
import type { Fields, RecordType, StoredRecord } from './record-type.ts'
import { namesReference, requireReferences, resolveReferences } from './references.ts'
import { resolvedFields } from './resolved-fields.ts'
import { updateRecords } from './write.ts'

/**
 * @returns the id of the record
 * @throws ValidationError; DomainError not_found, conflict
 */
export async function changeRecord(
  tx: OrgTx,
  type: RecordType,
  recordId: string,
  sent: Fields,
  version?: number,
): Promise<string> {
  const orgDefaults = await readOrgDefaults(tx, type, [sent])
  const fields = resolvedFields(sent, orgDefaults)
  // Lock references before the record, as batches and merges do: two writes could deadlock otherwise.
  if (namesReference(type, fields))
    await resolveReferences(tx, type, [type.apply(null, fields, orgDefaults, false)])
  const stored = await lockRecord(tx, type, recordId, { version })
  requireActive(type, stored)
  const state = type.apply(stored.state, fields, orgDefaults, false)
  requireReached(state, orgDefaults.reach)
  type.check(stored.state, state, orgDefaults)
  await requireReferences(tx, type, fields, state, stored.state)
  await requireUniqueValues(tx, type, orgDefaults.definitions ?? [], {
    recordId: stored.recordId,
    before: stored.state,
    after: state,
  })
  const write = { recordId, fields, orgDefaults, add: false }
  await updateRecords(tx, type, [{ stored, state, write }])
  return stored.recordId
}

/** @throws DomainError conflict if the record is archived */
export function requireActive(type: RecordType, { status, recordId }: StoredRecord): void {
  if (status === 'active') return
  throw conflict(
    'record_archived',
    `This ${type.entity} is archived: restore it first (POST ${type.path}/${recordId}/restore)`,
  )
}
