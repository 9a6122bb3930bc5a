import { recordEvents } from '../../events/record.ts'
import type { Caller } from '../../platform/caller.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { enqueueChecks } from '../../records/match-keys.ts'
import { recordTypes } from '../entities.ts'
import { deleteVerdict } from '../merge/verdicts.ts'
import { lockDecisions } from './decide.ts'
import { lockProposals, outOfDate, type ProposalAnswer } from './lock-proposals.ts'
import { reopenDismissed } from './proposals.ts'

/**
 * Undoes a dismissal: the proposal is open again, and the two records have no verdict. The engine checks both, and
 * closes the proposal if they no longer match.
 */
export async function reopenProposal(tx: OrgTx, caller: Caller, mergeId: string): Promise<ProposalAnswer> {
  const [locked] = await lockProposals(tx, caller, [mergeId], 'dismissed')
  if (!locked || 'refused' in locked) return locked ?? outOfDate()
  const { entity, survivor_id, loser_id } = locked.proposal
  // The engine may propose the same two records at the same time.
  await lockDecisions(tx, entity)
  if (!(await reopenDismissed(tx, mergeId))) return outOfDate()
  await deleteVerdict(tx, entity, [survivor_id, loser_id])
  const changes = locked.records.map(({ recordId, state }) => ({ recordId, before: null, after: state }))
  await enqueueChecks(tx, recordTypes[entity], changes)
  await recordEvents(tx, [{ type: 'merge.reopened', objectId: mergeId, data: { survivor_id, loser_id } }])
  return { mergeId }
}
