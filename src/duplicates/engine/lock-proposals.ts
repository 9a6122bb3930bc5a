import type { EntityType } from '../../matching/entity-type.ts'
import type { Caller } from '../../platform/caller.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { sql } from '../../platform/db/sql.ts'
import { conflict, type DomainError } from '../../platform/domain-error.ts'
import { readOrgDefaults } from '../../records/create.ts'
import { lockRecords } from '../../records/lock.ts'
import type { StoredRecord } from '../../records/record-type.ts'
import { lockReferencesOf } from '../../records/references.ts'
import { recordTypes } from '../entities.ts'
import { type MergeRow, mergeNotFound, mergeOfProposal, readMerges } from '../merge/merges.ts'
import { proposalAlreadyMerged } from '../merge/undo-block.ts'
import { mergeRefusal } from '../permissions.ts'

/** The id of the merge, the id of a dismissed proposal, or why nothing was done. */
export type ProposalAnswer = { mergeId: string } | { refused: DomainError }

/** A proposal with its locked records, or why it cannot be answered. */
export type LockedProposal = { proposal: MergeRow; records: StoredRecord[] } | { refused: DomainError }

/**
 * Locks the records of proposals in id order: two requests could deadlock otherwise.
 * @param wanted the status that the proposals must have
 */
export async function lockProposals(
  tx: OrgTx,
  caller: Caller,
  mergeIds: readonly string[],
  wanted: 'shadow' | 'dismissed' = 'shadow',
): Promise<LockedProposal[]> {
  const read = () => readMerges(tx, sql`m.merge_id = any(${mergeIds}::uuid[])`)
  const found = await read()
  const locked = new Map<string, StoredRecord>()
  // Lock referenced records before their referrers, as writes and merges do.
  for (const entityType of ['company', 'contact', 'deal'] satisfies EntityType[]) {
    const ids = found
      .filter(({ entity }) => entity === entityType && mergeRefusal(caller, entity) === null)
      .flatMap(({ survivor_id, loser_id }) => [survivor_id, loser_id])
    if (ids.length === 0) continue
    const type = recordTypes[entityType]
    // Lock the stages of deals before the records, as writes do.
    await readOrgDefaults(tx, type, [])
    await lockReferencesOf(tx, type, ids)
    for (const record of await lockRecords(tx, type, [...new Set(ids)], { forDelete: true }))
      locked.set(record.recordId, record)
  }
  const current = new Map((await read()).map((row) => [row.merge_id, row]))
  const answers: LockedProposal[] = []
  for (const mergeId of mergeIds) {
    const proposal = current.get(mergeId)
    const records = proposal
      ? [proposal.survivor_id, proposal.loser_id].flatMap((id) => locked.get(id) ?? [])
      : []
    const refused = proposal ? await refusalOf(tx, caller, proposal, records, wanted) : mergeNotFound()
    answers.push(proposal && !refused ? { proposal, records } : { refused: refused ?? mergeNotFound() })
  }
  return answers
}

/** Returns null if the proposal has the wanted status and both records are active. */
async function refusalOf(
  tx: OrgTx,
  caller: Caller,
  proposal: MergeRow,
  records: readonly StoredRecord[],
  wanted: 'shadow' | 'dismissed',
): Promise<DomainError | null> {
  const refusal = mergeRefusal(caller, proposal.entity)
  if (refusal) return refusal
  const merged = await mergeOfProposal(tx, proposal)
  if (merged) return proposalAlreadyMerged(merged)
  if (proposal.status !== wanted) return conflict('proposal_closed', otherStatusReasons[proposal.status])
  const areActive = records.length === 2 && records.every(({ status }) => status === 'active')
  return areActive ? null : outOfDate().refused
}

/** The answer to a proposal whose records changed. */
export const outOfDate = (): { refused: DomainError } => ({
  refused: conflict('proposal_closed', otherStatusReasons.stale),
})

const otherStatusReasons: Record<MergeRow['status'], string> = {
  shadow: 'This proposal is open: apply it or dismiss it',
  applied: 'This is a merge, not a proposal',
  undone: 'This is an undone merge, not a proposal',
  dismissed: 'This proposal is already dismissed',
  stale:
    'This proposal is out of date, because one of its records changed. GET /duplicates/candidates shows what the engine proposes now',
}
