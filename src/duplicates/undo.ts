import { type Actor, recordEvents } from '../events/record.ts'
import type { Caller } from '../platform/caller.ts'
import type { Tx } from '../platform/db/tx.ts'
import { conflict } from '../platform/http/problem.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import { type Cluster, type Link, unitsOf } from '../records/clusters/facts.ts'
import { clusterOf, join, splitAt } from '../records/clusters/join.ts'
import { type Regrouped, regroup } from '../records/clusters/regroup.ts'
import { viewOf } from '../records/clusters/view.ts'
import { surroundingsOf } from '../records/create.ts'
import { fieldOf } from '../records/field-names.ts'
import { lockRecord, lockRecords, type Stored } from '../records/lock.ts'
import type { RecordType, State } from '../records/record-type.ts'
import { holdReferenced } from '../records/references.ts'
import { readRoots } from '../records/root.ts'
import { countChildren, giveChildren } from './children.ts'
import { recordTypes } from './entities.ts'
import { requireNotDifferent } from './merge.ts'
import { countMoved, findMerge, mergeOfProposal } from './merges.ts'
import { becameMerge, refusalToMerge, undoBlockOf, undoRefusal } from './refusals.ts'
import { readSettings } from './settings.ts'
import { decide, forget } from './verdicts.ts'

type Undone = {
  restoredId: string
  returnedChildren: number
  keptChildren: number
  warnings: string[]
}

/**
 * Takes a merge out of history: what was said of the loser shows there again, and everything else stands, whatever was
 * written, merged or undone since.
 * @param locked is called once the records are locked, before anything is written
 * @throws Problem 404; 403, 409 where `undoBlockOf` says so
 */
export async function undoMerge(
  tx: Tx,
  caller: Caller,
  mergeId: string,
  jobs: Jobs,
  locked?: () => Promise<unknown>,
): Promise<Undone> {
  const { orgId } = caller
  const found = await findMerge(tx, orgId, mergeId)
  const { entity, loser_id: loserId, survivor_id: survivorId } = found
  const refusal = refusalToMerge(caller, entity)
  if (refusal) throw refusal
  // The job that moves them holds what it moves them to: no use in waiting for it.
  if (found.applying) throw undoRefusal('applying', found, caller)
  const type = recordTypes[entity]
  const surroundings = await surroundingsOf(tx, orgId, type, [])
  await holdReferenced(tx, orgId, type, [loserId])
  const root = await lockIfThere(tx, orgId, type, loserId)
  const row = await findMerge(tx, orgId, mergeId)
  const block = undoBlockOf(row, caller, await readSettings(tx, orgId, entity), new Date())
  const merged = await mergeOfProposal(tx, orgId, row)
  if (merged) throw becameMerge(merged)
  if (block) throw undoRefusal(block, row, caller)

  // Whoever changes the rows of absorbed records holds their root before.
  const [loser] = await lockRecords(tx, orgId, type, [loserId], { ends: true })
  await locked?.()
  const { rest, split } = splitAt(root!.cluster!, mergeId)
  const version = Math.max(root!.version, loser!.version) + 1
  await setStatus(tx, caller, mergeId, 'undone')
  const groups: Regrouped[] = [
    { stored: root!, cluster: rest, version },
    { stored: loser!, cluster: split, version },
  ]
  const states = await regroup(tx, caller, type, groups, [], surroundings)
  const move = { rawIds: [...split.members.keys()], from: rest.rootId, to: loserId }
  const returnedChildren = await giveChildren(tx, caller, type, move, mergeId, jobs)
  await decide(tx, caller, entity, [[loserId, survivorId]], 'different')
  await recordEvents(tx, caller, [
    { type: `${entity}.unmerged`, objectId: rest.rootId, data: { merge_id: mergeId, restored_id: loserId } },
    { type: `${entity}.unmerged`, objectId: loserId, data: { merge_id: mergeId, survivor_id: rest.rootId } },
  ])
  return {
    restoredId: loserId,
    returnedChildren,
    keptChildren: await countChildren(tx, orgId, type, rest.rootId, [...rest.members.keys()]),
    warnings: groups.flatMap(({ cluster }, index) => lostSince(type, cluster, states[index]!)),
  }
}

/**
 * Puts an undone merge back into history, at its old place: what was written since stands.
 * @throws Problem 404; 403; 409 if it is in force, or its loser no longer stands for itself, or is archived
 */
export async function redoMerge(tx: Tx, caller: Caller, mergeId: string, jobs: Jobs): Promise<void> {
  const { orgId } = caller
  const { entity, loser_id: loserId, survivor_id: survivorId } = await findMerge(tx, orgId, mergeId)
  const refusal = refusalToMerge(caller, entity)
  if (refusal) throw refusal
  const type = recordTypes[entity]
  const surroundings = await surroundingsOf(tx, orgId, type, [])
  await holdReferenced(tx, orgId, type, [loserId, survivorId])
  const [loser, root] = await lockPair(tx, orgId, type, loserId, survivorId)
  const row = await findMerge(tx, orgId, mergeId)
  const merged = await mergeOfProposal(tx, orgId, row)
  if (merged) throw becameMerge(merged)
  if (row.status !== 'undone') throw conflict('This merge is not undone: there is nothing to bring back')
  if (row.applying) throw conflict('Records that name these two are still being moved: try again in a moment')
  if (!loser || !root) throw conflict('The records of this merge were erased: there is nothing left to merge')
  if (loser.recordId === root.recordId)
    throw conflict('The two stand for one record already, by another merge')
  if (loser.recordId !== loserId) {
    throw conflict(`The record ${loserId} was merged into another since: undo that merge first`)
  }
  for (const { status, recordId } of [loser, root]) {
    if (status !== 'active')
      throw conflict(`Restore it first (POST ${type.path}/${recordId}/restore): one of the two is archived`)
  }
  const clusters = [clusterOf(type, root), clusterOf(type, loser)] as const
  await requireNotDifferent(tx, caller, entity, clusters, false, [loserId, survivorId])
  const link = await readLink(tx, orgId, mergeId)
  const version = Math.max(root.version, loser.version) + 1
  await setStatus(tx, caller, mergeId, 'applied')
  await forget(tx, orgId, entity, [loserId, survivorId])
  const cluster = join(clusters[0], clusters[1], link)
  await regroup(tx, caller, type, [{ stored: root, cluster, version }], [loser], surroundings)
  const rawIds = [...clusters[1].members.keys()]
  const move = { rawIds, from: loserId, to: root.recordId }
  await countMoved(tx, orgId, mergeId, await giveChildren(tx, caller, type, move, mergeId, jobs))
  await recordEvents(tx, caller, [
    { type: `${entity}.merged`, objectId: root.recordId, data: { merge_id: mergeId, loser_id: loserId } },
    { type: `${entity}.merged`, objectId: loserId, data: { merge_id: mergeId, survivor_id: root.recordId } },
  ])
}

/** The root of a record, locked; null if it was erased. */
async function lockIfThere(
  tx: Tx,
  orgId: string,
  type: RecordType,
  recordId: string,
): Promise<Stored | null> {
  try {
    return await lockRecord(tx, orgId, type, recordId, { ends: true })
  } catch (error) {
    if ((error as { status?: number }).status === 404) return null
    throw error
  }
}

/** What stands for two records, locked in the order of their ids. */
async function lockPair(
  tx: Tx,
  orgId: string,
  type: RecordType,
  one: string,
  other: string,
): Promise<(Stored | null)[]> {
  for (;;) {
    const roots = await readRoots(tx, orgId, type.entity, [one, other])
    const locked = await lockRecords(tx, orgId, type, [...new Set(roots.values())], { ends: true })
    const now = await readRoots(tx, orgId, type.entity, [one, other])
    const settled = [one, other].every((id) => roots.get(id) === now.get(id))
    if (settled)
      return [one, other].map((id) => locked.find(({ recordId }) => recordId === now.get(id)) ?? null)
  }
}

/** What a record said and can no longer show: what it names was erased, or the org has it no more. */
function lostSince(type: RecordType, cluster: Cluster, state: State): string[] {
  const said = viewOf(type, cluster)
  const columns = [...unitsOf(type).map(([unit]) => unit), ...type.links.map(({ rawColumn }) => rawColumn)]
  return columns
    .filter((column) => JSON.stringify(said[column] ?? null) !== JSON.stringify(state[column] ?? null))
    .map(
      (column) => `${fieldOf(type, column)} of ${cluster.rootId}: what it had is gone from this organization`,
    )
}

async function setStatus(tx: Tx, actor: Actor, mergeId: string, status: 'applied' | 'undone'): Promise<void> {
  await tx.run({
    text: `
      update merge set status = $3,
        undone_at = case when $3 = 'undone' then now() end, undone_by = case when $3 = 'undone' then $4::uuid end
      where org_id = $1 and merge_id = $2`,
    values: [actor.orgId, mergeId, status, actor.apiKeyId],
  })
}

async function readLink(tx: Tx, orgId: string, mergeId: string): Promise<Link> {
  const row = await tx.first<Link>({
    text: `
      select merge_id as "mergeId", loser_id as "loserId", survivor_id as "survivorId", seq::float8 as seq, policies
      from merge where org_id = $1 and merge_id = $2`,
    values: [orgId, mergeId],
  })
  return row!
}
