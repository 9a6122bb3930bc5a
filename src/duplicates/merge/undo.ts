import { recordEvents } from '../../events/record.ts'
import type { Caller } from '../../platform/caller.ts'
import { onAllRecords } from '../../platform/db/limited-records.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { sql } from '../../platform/db/sql.ts'
import { conflict } from '../../platform/domain-error.ts'
import { outsideRecordAccess } from '../../platform/http/record-access.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { readCanonicalIds } from '../../records/canonical.ts'
import { type Cluster, joinClusters, type MergeLink, splitCluster } from '../../records/clusters/cluster.ts'
import { clusterOf, unitsOf } from '../../records/clusters/facts.ts'
import { redoRefusal } from '../../records/clusters/limits.ts'
import { type ChangedRecord, storeClusters } from '../../records/clusters/regroup.ts'
import { viewOf } from '../../records/clusters/view.ts'
import { readOrgDefaults } from '../../records/create.ts'
import { fieldOf } from '../../records/field-names.ts'
import { lockIfPresent, lockRecords } from '../../records/lock.ts'
import type { RecordType, StoredColumns, StoredRecord } from '../../records/record-type.ts'
import { lockReferencesOf } from '../../records/references.ts'
import { recordTypes } from '../entities.ts'
import { mergeRefusal } from '../permissions.ts'
import { readDuplicateSettings } from '../settings.ts'
import { requireNotDifferent } from './merge.ts'
import { findMerge, mergeOfProposal, readMerges, saveMovedCount } from './merges.ts'
import { countReferrers, moveReferencesOrEnqueue } from './move-references.ts'
import { mergeApplying, proposalAlreadyMerged, undoBlockOf, undoRefusal } from './undo-block.ts'
import { deleteVerdict, saveVerdict } from './verdicts.ts'

type Undone = {
  restoredId: string
  returnedReferrers: number
  keptReferrers: number
  warnings: string[]
}

/**
 * Undoes a merge. The loser again shows the values that were written to its own ids. Later writes, merges and undos are
 * kept.
 * @param locked called after the records are locked, before any write
 * @throws DomainError not_found; forbidden or conflict if `undoBlockOf` gives a reason; forbidden if a limited member
 * would not see the loser afterwards
 */
export async function undoMerge(
  tx: OrgTx,
  caller: Caller,
  mergeId: string,
  jobs: Jobs,
  locked?: () => Promise<unknown>,
): Promise<Undone> {
  await findMerge(tx, mergeId)
  const undone = await onAllRecords(tx, () => undoSeen(tx, caller, mergeId, jobs, locked))
  if (tx.actor.recordAccess === undefined) return undone
  const [seen] = await readMerges(tx, sql`m.merge_id = ${mergeId}`)
  if (!seen) throw outsideRecordAccess()
  return undone
}

async function undoSeen(
  tx: OrgTx,
  caller: Caller,
  mergeId: string,
  jobs: Jobs,
  locked?: () => Promise<unknown>,
): Promise<Undone> {
  const found = await findMerge(tx, mergeId)
  const { entity, loser_id: loserId, survivor_id: survivorId } = found
  const refusal = mergeRefusal(caller, entity)
  if (refusal) throw refusal
  // Refuse before locking: the job that moves references can keep these records locked for long.
  if (found.applying) throw undoRefusal('applying', found, caller)
  const type = recordTypes[entity]
  const orgDefaults = await readOrgDefaults(tx, type, [])
  await lockReferencesOf(tx, type, [loserId])
  const canonical = await lockIfPresent(tx, type, loserId, { forDelete: true })
  const row = await findMerge(tx, mergeId)
  const block = undoBlockOf(row, caller, await readDuplicateSettings(tx, entity), new Date())
  const merged = await mergeOfProposal(tx, row)
  if (merged) throw proposalAlreadyMerged(merged)
  if (block) throw undoRefusal(block, row, caller)

  // Lock the loser after its canonical record. All writers use this order.
  const [loser] = await lockRecords(tx, type, [loserId], { forDelete: true })
  if (!canonical?.cluster || !loser) throw undoRefusal('erased', row, caller)
  await locked?.()
  const { rest, split } = splitCluster(canonical.cluster, mergeId)
  const version = Math.max(canonical.version, loser.version) + 1
  await setStatus(tx, mergeId, 'undone')
  const groups: ChangedRecord[] = [
    { stored: canonical, cluster: rest, version },
    { stored: loser, cluster: split, version },
  ]
  const states = await storeClusters(tx, type, groups, [], orgDefaults)
  const move = { rawIds: [...split.members.keys()], from: rest.rootId, to: loserId }
  const returnedReferrers = await moveReferencesOrEnqueue(tx, type, move, mergeId, jobs)
  await saveVerdict(tx, entity, [[loserId, survivorId]], 'different')
  await recordEvents(tx, [
    { type: `${entity}.unmerged`, objectId: rest.rootId, data: { merge_id: mergeId, restored_id: loserId } },
    { type: `${entity}.unmerged`, objectId: loserId, data: { merge_id: mergeId, survivor_id: rest.rootId } },
  ])
  return {
    restoredId: loserId,
    returnedReferrers,
    keptReferrers: await countReferrers(tx, type, rest.rootId, [...rest.members.keys()]),
    warnings: groups.flatMap(({ cluster }, index) => lostReferences(type, cluster, states[index] ?? {})),
  }
}

/**
 * Applies an undone merge again, as if it had never been undone. Values that were written later are kept.
 * @throws DomainError not_found; forbidden; conflict if the merge is not undone, or if the loser is absorbed by another
 * record or archived
 */
export async function redoMerge(tx: OrgTx, caller: Caller, mergeId: string, jobs: Jobs): Promise<void> {
  await findMerge(tx, mergeId)
  await onAllRecords(tx, () => redoSeen(tx, caller, mergeId, jobs))
}

async function redoSeen(tx: OrgTx, caller: Caller, mergeId: string, jobs: Jobs): Promise<void> {
  const { entity, loser_id: loserId, survivor_id: survivorId } = await findMerge(tx, mergeId)
  const refusal = mergeRefusal(caller, entity)
  if (refusal) throw refusal
  const type = recordTypes[entity]
  const orgDefaults = await readOrgDefaults(tx, type, [])
  await lockReferencesOf(tx, type, [loserId, survivorId])
  const { loser, survivor } = await lockCanonicalPair(tx, type, loserId, survivorId)
  const row = await findMerge(tx, mergeId)
  const merged = await mergeOfProposal(tx, row)
  if (merged) throw proposalAlreadyMerged(merged)
  if (row.status !== 'undone')
    throw conflict('merge_not_undone', 'This merge is not undone: there is nothing to redo')
  if (row.applying) throw mergeApplying()
  if (!loser || !survivor)
    throw conflict('merge_erased', 'The records of this merge were erased: there is nothing left to merge')
  if (loser.recordId === survivor.recordId)
    throw conflict('record_merged', 'Another merge has already merged these two records')
  if (loser.recordId !== loserId) {
    throw conflict(
      'record_merged',
      `The record ${loserId} is now merged into another record: undo that merge first`,
    )
  }
  for (const { status, recordId } of [loser, survivor]) {
    if (status !== 'active')
      throw conflict(
        'record_archived',
        `The record ${recordId} is archived: restore it first (POST ${type.path}/${recordId}/restore)`,
      )
  }
  const clusters = { survivor: clusterOf(type, survivor), loser: clusterOf(type, loser) }
  const pair = [loserId, survivorId] as const
  await requireNotDifferent(tx, entity, [clusters.survivor, clusters.loser], false, pair)
  const tooLarge = redoRefusal(type, clusters.survivor, clusters.loser)
  if (tooLarge) throw tooLarge
  const link = await readLink(tx, mergeId)
  const version = Math.max(survivor.version, loser.version) + 1
  await setStatus(tx, mergeId, 'applied')
  await deleteVerdict(tx, entity, pair)
  const cluster = joinClusters(clusters.survivor, clusters.loser, link)
  await storeClusters(tx, type, [{ stored: survivor, cluster, version }], [loser], orgDefaults)
  const move = { rawIds: [...clusters.loser.members.keys()], from: loserId, to: survivor.recordId }
  await saveMovedCount(tx, mergeId, await moveReferencesOrEnqueue(tx, type, move, mergeId, jobs))
  await recordEvents(tx, [
    {
      type: `${entity}.merged`,
      objectId: survivor.recordId,
      data: { merge_id: mergeId, loser_id: loserId },
    },
    {
      type: `${entity}.merged`,
      objectId: loserId,
      data: { merge_id: mergeId, survivor_id: survivor.recordId },
    },
  ])
}

/** Locks two canonical records in id order: two merges could deadlock otherwise. null means an erased record. */
async function lockCanonicalPair(
  tx: OrgTx,
  type: RecordType,
  loserId: string,
  survivorId: string,
): Promise<{ loser: StoredRecord | undefined; survivor: StoredRecord | undefined }> {
  const ids = [loserId, survivorId]
  for (;;) {
    const before = await readCanonicalIds(tx, type.entity, ids)
    const locked = await lockRecords(tx, type, [...new Set(before.values())], { forDelete: true })
    const after = await readCanonicalIds(tx, type.entity, ids)
    // If a merge or an undo committed during the wait, lock the new canonical records.
    if (ids.some((id) => before.get(id) !== after.get(id))) continue
    const lockedOf = (id: string) => locked.find(({ recordId }) => recordId === after.get(id))
    return { loser: lockedOf(loserId), survivor: lockedOf(survivorId) }
  }
}

/** A warning for each reference that cannot be restored, because its record was erased. */
function lostReferences(type: RecordType, cluster: Cluster, state: StoredColumns): string[] {
  const written = viewOf(type, cluster)
  const columns = [...unitsOf(type).map(([unit]) => unit), ...type.links.map(({ rawColumn }) => rawColumn)]
  return columns
    .filter((column) => JSON.stringify(written[column] ?? null) !== JSON.stringify(state[column] ?? null))
    .map(
      (column) =>
        `${fieldOf(type, column)} of ${cluster.rootId} is not restored: this organization no longer has its value`,
    )
}

async function setStatus(tx: OrgTx, mergeId: string, status: 'applied' | 'undone'): Promise<void> {
  const [undoneAt, undoneBy] =
    status === 'undone' ? [sql`now()`, tx.actor.apiKeyId ?? tx.actor.memberId] : [null, null]
  await tx.run(sql`
    update merge set status = ${status}, undone_at = ${undoneAt}, undone_by = ${undoneBy}
    where org_id = ${tx.orgId} and merge_id = ${mergeId}`)
}

async function readLink(tx: OrgTx, mergeId: string): Promise<MergeLink> {
  const [link] = await tx.rows(sql<MergeLink>`
    select merge_id as "mergeId", loser_id as "loserId", survivor_id as "survivorId", seq::float8 as seq, policies
    from merge where org_id = ${tx.orgId} and merge_id = ${mergeId}`)
  if (!link) throw new Error(`The merge ${mergeId} has no row any more`)
  return link
}
