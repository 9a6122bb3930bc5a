import type { Org } from '../platform/db/org.ts'
import type { OrgTx } from '../platform/db/org-tx.ts'
import { conflict } from '../platform/domain-error.ts'
import { requireVersion } from '../platform/http/if-match.ts'
import { requireRoom } from './clusters/limits.ts'
import { readOrgDefaults } from './create.ts'
import { requireUniqueValues } from './defined-fields/unique-values.ts'
import type { FoundRecord } from './find.ts'
import { catchItemError } from './items/item.ts'
import { alone, type JointOutcome, JointWrites } from './joint-writes.ts'
import { lockFreeRecords, lockRecord } from './lock.ts'
import { requireReached } from './owners/reach.ts'
import type { Fields, RecordType, StoredRecord } from './record-type.ts'
import { namesReference, requireReferences, resolveReferences } from './references.ts'
import { resolvedFields } from './resolved-fields.ts'
import { foundIn } from './returning.ts'
import { updateAllShown, updateShown } from './write.ts'

/**
 * @returns the changed record
 * @throws ValidationError; DomainError not_found, conflict
 */
export async function changeRecord(
  tx: OrgTx,
  type: RecordType,
  recordId: string,
  sent: Fields,
  version?: number,
): Promise<FoundRecord> {
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
  const write = { recordId, fields, orgDefaults, add: false }
  requireRoom(type, stored, write, () => recordId)
  await requireReferences(tx, type, fields, state, stored.state)
  await requireUniqueValues(tx, type, orgDefaults.definitions ?? [], {
    recordId: stored.recordId,
    before: stored.state,
    after: state,
  })
  return updateShown(tx, type, { stored, state, write })
}

/** @throws DomainError conflict if the record is archived */
export function requireActive(type: RecordType, { status, recordId }: StoredRecord): void {
  if (status === 'active') return
  throw conflict(
    'record_archived',
    `This ${type.entity} is archived: restore it first (POST ${type.path}/${recordId}/restore)`,
  )
}

type Change = { recordId: string; sent: Fields; version: number | undefined }

/**
 * Changes records that were never merged and that no other transaction has locked, in few statements.
 * @returns the outcome of each change: an invalid one fails alone. `alone`: nothing was done, because the record was
 * merged or is locked, or because an earlier change of this call changes it
 */
async function changeRecords(
  tx: OrgTx,
  type: RecordType,
  changes: readonly Change[],
): Promise<JointOutcome[]> {
  const inputs = changes.map(({ sent }) => sent)
  const orgDefaults = await readOrgDefaults(tx, type, inputs)
  const recordIds = [...new Set(changes.map(({ recordId }) => recordId))]
  const locked = await lockFreeRecords(tx, type, recordIds)
  const free = new Map(locked.map((stored) => [stored.recordId, stored]))
  const drafts = changes.map(({ recordId, sent, version }) => {
    const stored = free.get(recordId)
    free.delete(recordId)
    if (!stored || stored.wasMerged || stored.status === 'merged') return alone
    return catchItemError(() => {
      requireVersion(`this ${type.entity}`, version, stored.version)
      requireActive(type, stored)
      const fields = resolvedFields(sent, orgDefaults)
      const state = type.apply(stored.state, fields, orgDefaults, false)
      type.check(stored.state, state, orgDefaults)
      return { stored, state, write: { recordId, fields, orgDefaults, add: false } }
    })
  })
  const updates = drafts.flatMap((draft) => (draft !== alone && 'stored' in draft ? [draft] : []))
  const changed = await updateAllShown(tx, type, updates)
  return drafts.map((draft) => {
    if (draft === alone) return alone
    return 'stored' in draft ? { value: foundIn(changed, draft.stored.recordId) } : { error: draft.error }
  })
}

const jointChanges = new JointWrites<Change>({
  jointly: changeRecords,
  alone: (tx, type, { recordId, sent, version }) => changeRecord(tx, type, recordId, sent, version),
})

/** Changes a record for a request. @throws ValidationError; DomainError not_found, conflict */
export const changeForRequest = (org: Org, type: RecordType, change: Change): Promise<FoundRecord> =>
  jointChanges.write(org, type, change)
