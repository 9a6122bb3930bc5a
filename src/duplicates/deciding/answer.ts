import { recordEvents } from '../../events/record.ts'
import type { Caller } from '../../platform/caller.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { conflict } from '../../platform/http/problem.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { surroundingsOf } from '../../records/create.ts'
import { lockRecords, type Stored } from '../../records/lock.ts'
import { askForChecks } from '../../records/match-keys.ts'
import { holdReferenced } from '../../records/references.ts'
import { recordTypes } from '../entities.ts'
import { mergeRecords } from '../merge.ts'
import { findMerge, type MergeRow, mergeOfProposal } from '../merges.ts'
import { becameMerge, refusalToMerge } from '../refusals.ts'
import { decide } from '../verdicts.ts'
import { closeProposals } from './proposals.ts'

/**
 * Merges what the engine proposed, in the name of a person; what it was founded on is kept.
 * @returns the id of the merge @throws Problem 404; 403; 409 if the proposal is not open any more
 */
export async function applyProposal(tx: Tx, caller: Caller, mergeId: string, jobs: Jobs): Promise<string> {
  const { proposal } = await holdProposal(tx, caller, mergeId)
  const { entity, survivor_id, loser_id, rule, score, evidence, model_version } = proposal
  const order = {
    entityType: entity,
    survivorId: survivor_id,
    loserIds: [loser_id],
    why: { method: 'manual' as const, rule, score, evidence, modelVersion: model_version },
  }
  const [applied] = await mergeRecords(tx, caller, order, jobs)
  return applied!
}

/**
 * Notes that what the engine proposed is two and not one: it never proposes them again.
 * @throws Problem 404; 403; 409 if the proposal is not open any more
 */
export async function dismissProposal(tx: Tx, caller: Caller, mergeId: string): Promise<void> {
  const { proposal, records } = await holdProposal(tx, caller, mergeId)
  const { entity, survivor_id, loser_id } = proposal
  // The engine may have closed it after it was read: it locks proposals, not the records of those that it closes.
  if ((await closeProposals(tx, caller.orgId, [mergeId], 'dismissed')) === 0) throw conflict(whyNotOpen.stale)
  await decide(tx, caller, entity, [[survivor_id, loser_id]], 'different')
  const data = { survivor_id, loser_id }
  await recordEvents(tx, caller, [{ type: 'merge.dismissed', objectId: mergeId, data }])
  // Each may still be the same as another, which this proposal stood for as well.
  const asked = records.map(({ recordId, state }) => ({ recordId, before: null, after: state }))
  await askForChecks(tx, caller.orgId, recordTypes[entity], asked)
}

/** An open proposal and its two records, as they stay until the transaction ends. */
async function holdProposal(
  tx: Tx,
  caller: Caller,
  mergeId: string,
): Promise<{ proposal: MergeRow; records: Stored[] }> {
  const { orgId } = caller
  const { entity, survivor_id, loser_id } = await findMerge(tx, orgId, mergeId)
  const refusal = refusalToMerge(caller, entity)
  if (refusal) throw refusal
  const type = recordTypes[entity]
  await surroundingsOf(tx, orgId, type, [])
  await holdReferenced(tx, orgId, type, [survivor_id, loser_id])
  const locked = await lockRecords(tx, orgId, type, [survivor_id, loser_id], { ends: true })
  const proposal = await findMerge(tx, orgId, mergeId)
  const merged = await mergeOfProposal(tx, orgId, proposal)
  if (merged) throw becameMerge(merged)
  if (proposal.status !== 'shadow') throw conflict(whyNotOpen[proposal.status])
  const areThere = locked.length === 2 && locked.every(({ status }) => status === 'active')
  if (!areThere) throw conflict(whyNotOpen.stale)
  return { proposal, records: locked }
}

const whyNotOpen: Record<Exclude<MergeRow['status'], 'shadow'>, string> = {
  applied: 'This merge is in force: it is no proposal',
  undone: 'This merge was in force and is undone: it is no proposal',
  dismissed: 'This proposal was dismissed already',
  stale:
    'This proposal is out of date: one of the two changed, was merged, archived or erased since. See GET /duplicates/candidates for what the engine says now',
}
