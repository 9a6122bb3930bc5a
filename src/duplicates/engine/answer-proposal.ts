import { recordEvents } from '../../events/record.ts'
import type { Caller } from '../../platform/caller.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { conflict } from '../../platform/domain-error.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { readOrgDefaults } from '../../records/create.ts'
import { lockRecords } from '../../records/lock.ts'
import { enqueueChecks } from '../../records/match-keys.ts'
import type { Stored } from '../../records/record-type.ts'
import { lockReferencesOf } from '../../records/references.ts'
import { recordTypes } from '../entities.ts'
import { mergeRecords } from '../merge/merge.ts'
import { findMerge, type MergeRow, mergeOfProposal } from '../merge/merges.ts'
import { proposalAlreadyMerged } from '../merge/undo-block.ts'
import { saveVerdict } from '../merge/verdicts.ts'
import { mergeRefusal } from '../permissions.ts'
import { closeProposals } from './proposals.ts'

/**
 * Merges the records of a proposal on behalf of a person. The merge keeps the proposal's rule, score and evidence.
 * @returns the id of the merge @throws DomainError not_found; forbidden; conflict if the proposal is no longer open
 */
export async function applyProposal(tx: OrgTx, caller: Caller, mergeId: string, jobs: Jobs): Promise<string> {
  const { proposal } = await lockProposal(tx, caller, mergeId)
  const { entity, survivor_id, loser_id, rule, score, evidence, model_version } = proposal
  const order = {
    entityType: entity,
    survivorId: survivor_id,
    loserIds: [loser_id],
    reason: { method: 'manual' as const, rule, score, evidence, modelVersion: model_version },
  }
  const [appliedId = mergeId] = await mergeRecords(tx, order, jobs)
  return appliedId
}

/**
 * Dismisses a proposal: its two records get the verdict `different`, and the engine never proposes them again.
 * @throws DomainError not_found; forbidden; conflict if the proposal is no longer open
 */
export async function dismissProposal(tx: OrgTx, caller: Caller, mergeId: string): Promise<void> {
  const { proposal, records } = await lockProposal(tx, caller, mergeId)
  const { entity, survivor_id, loser_id } = proposal
  // The engine closes proposals without locking their records, so it may have closed this one since it was read.
  if ((await closeProposals(tx, [mergeId], 'dismissed')) === 0)
    throw conflict('proposal_closed', notOpenReasons.stale)
  await saveVerdict(tx, entity, [[survivor_id, loser_id]], 'different')
  const data = { survivor_id, loser_id }
  await recordEvents(tx, [{ type: 'merge.dismissed', objectId: mergeId, data }])
  // This proposal may have replaced one between either record and a third: check both again.
  const changes = records.map(({ recordId, state }) => ({ recordId, before: null, after: state }))
  await enqueueChecks(tx, recordTypes[entity], changes)
}

/** Reads an open proposal and locks its two records. */
async function lockProposal(
  tx: OrgTx,
  caller: Caller,
  mergeId: string,
): Promise<{ proposal: MergeRow; records: Stored[] }> {
  const { entity, survivor_id, loser_id } = await findMerge(tx, mergeId)
  const refusal = mergeRefusal(caller, entity)
  if (refusal) throw refusal
  const type = recordTypes[entity]
  await readOrgDefaults(tx, type, [])
  await lockReferencesOf(tx, type, [survivor_id, loser_id])
  const locked = await lockRecords(tx, type, [survivor_id, loser_id], { forDelete: true })
  const proposal = await findMerge(tx, mergeId)
  const merged = await mergeOfProposal(tx, proposal)
  if (merged) throw proposalAlreadyMerged(merged)
  if (proposal.status !== 'shadow') throw conflict('proposal_closed', notOpenReasons[proposal.status])
  const areActive = locked.length === 2 && locked.every(({ status }) => status === 'active')
  if (!areActive) throw conflict('proposal_closed', notOpenReasons.stale)
  return { proposal, records: locked }
}

const notOpenReasons: Record<Exclude<MergeRow['status'], 'shadow'>, string> = {
  applied: 'This is a merge, not a proposal',
  undone: 'This is an undone merge, not a proposal',
  dismissed: 'This proposal is already dismissed',
  stale:
    'This proposal is out of date, because one of its records changed. GET /duplicates/candidates shows what the engine proposes now',
}
