import { recordEvents } from '../../events/record.ts'
import { entityTypes } from '../../matching/entity-type.ts'
import type { Caller } from '../../platform/caller.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { enqueueChecks } from '../../records/match-keys.ts'
import { recordTypes } from '../entities.ts'
import { saveVerdict } from '../merge/verdicts.ts'
import { lockProposals, outOfDate, type ProposalAnswer } from './lock-proposals.ts'
import { closeProposals } from './proposals.ts'

/**
 * Gives the records the verdict `different`, so that the engine never proposes them again. A refused proposal changes
 * nothing.
 */
export async function dismissProposals(
  tx: OrgTx,
  caller: Caller,
  mergeIds: readonly string[],
): Promise<ProposalAnswer[]> {
  const locked = await lockProposals(tx, caller, mergeIds)
  const open = locked.flatMap((each) => ('refused' in each ? [] : [each]))
  const openIds = open.map(({ proposal }) => proposal.merge_id)
  // Close first: the engine does not lock records, and may have closed a proposal since it was read.
  const dismissedIds = new Set(await closeProposals(tx, openIds, 'dismissed'))
  const dismissed = open.filter(({ proposal }) => dismissedIds.has(proposal.merge_id))
  for (const entityType of entityTypes) {
    const answered = dismissed.filter(({ proposal }) => proposal.entity === entityType)
    if (answered.length === 0) continue
    const pairs = answered.map(({ proposal }) => [proposal.survivor_id, proposal.loser_id] as const)
    await saveVerdict(tx, entityType, pairs, 'different')
    // Check both records again: this proposal may have prevented a proposal about one of them and a third record.
    const records = new Map(answered.flatMap((each) => each.records.map((one) => [one.recordId, one])))
    const changes = [...records.values()].map(({ recordId, state }) => ({
      recordId,
      before: null,
      after: state,
    }))
    await enqueueChecks(tx, recordTypes[entityType], changes)
  }
  const events = dismissed.map(({ proposal: { merge_id, survivor_id, loser_id } }) => ({
    type: 'merge.dismissed' as const,
    objectId: merge_id,
    data: { survivor_id, loser_id },
  }))
  if (events.length > 0) await recordEvents(tx, events)
  return locked.map((each) => {
    if ('refused' in each) return each
    const { merge_id: mergeId } = each.proposal
    return dismissedIds.has(mergeId) ? { mergeId } : outOfDate()
  })
}
