import { type EntityType, entityTypes } from '../../matching/entity-type.ts'
import type { Caller } from '../../platform/caller.ts'
import { onAllRecords } from '../../platform/db/limited-records.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { notFound } from '../../platform/domain-error.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { clusterOf } from '../../records/clusters/facts.ts'
import { joinRefusal } from '../../records/clusters/limits.ts'
import { readOrgDefaults } from '../../records/create.ts'
import { lockRecords } from '../../records/lock.ts'
import { recordTypes } from '../entities.ts'
import { areDifferent, pairsBetween } from '../merge/merge.ts'
import { mergeLocked } from '../merge/merge-locked.ts'
import type { MergeRow } from '../merge/merges.ts'
import type { FieldChoices } from '../merge/policies.ts'
import { differentPairs, type Pair } from '../merge/verdicts.ts'
import { lockProposals, outOfDate, type ProposalAnswer } from './lock-proposals.ts'

/** The maximum number of merges in a round. More would block the thread for more than a few milliseconds. */
const roundMax = 50

/** Proposals to merge together, by survivor. No record is in two groups, and none is absorbed twice. */
type Round = Map<string, MergeRow[]>

/**
 * What a person chose for the result of a proposal: the record that stays and, for each field, the record that gives
 * the value.
 */
export type ChosenResult = { survivor_id?: string | undefined; field_choices?: FieldChoices | undefined }

/**
 * Merges the records of accepted proposals. A merge keeps the rule, score and evidence of its proposal. A refused
 * proposal changes nothing.
 * @param chosen only for a single proposal
 * @throws DomainError not_found if the proposal does not have the chosen survivor; ValidationError for an invalid choice
 */
export async function applyProposals(
  tx: OrgTx,
  caller: Caller,
  mergeIds: readonly string[],
  jobs: Jobs,
  chosen: ChosenResult = {},
): Promise<ProposalAnswer[]> {
  const locked = (await lockProposals(tx, caller, mergeIds)).map((each) =>
    'proposal' in each ? { ...each, proposal: keeping(chosen.survivor_id, each.proposal) } : each,
  )
  const answers = new Map<string, ProposalAnswer>()
  for (const entityType of entityTypes) {
    let open = locked.flatMap((each) =>
      'proposal' in each && each.proposal.entity === entityType ? [each.proposal] : [],
    )
    const absorbed = new Set<string>()
    while (open.length > 0) {
      const { round, later } = nextRound(open)
      const apply = () => applyRound(tx, entityType, round, absorbed, jobs, chosen)
      for (const [mergeId, answer] of await onAllRecords(tx, apply)) answers.set(mergeId, answer)
      open = later.filter(
        ({ survivor_id, loser_id }) => !absorbed.has(survivor_id) && !absorbed.has(loser_id),
      )
    }
  }
  // A proposal without an answer is out of date: an earlier proposal of this request absorbed one of its records.
  return locked.map((each) =>
    'refused' in each ? each : (answers.get(each.proposal.merge_id) ?? outOfDate()),
  )
}

/** Returns the proposal with the chosen record as its survivor. */
function keeping(survivorId: string | undefined, proposal: MergeRow): MergeRow {
  const { survivor_id, loser_id, survivor, loser } = proposal
  if (survivorId === undefined || survivorId === survivor_id) return proposal
  if (survivorId !== loser_id)
    throw notFound(
      'reference_not_found',
      `survivor_id: ${survivorId} is not a record of this proposal: send ${survivor_id} or ${loser_id}`,
    )
  return { ...proposal, survivor_id: loser_id, loser_id: survivor_id, survivor: loser, loser: survivor }
}

function nextRound(proposals: readonly MergeRow[]): { round: Round; later: MergeRow[] } {
  const round: Round = new Map()
  const losers = new Set<string>()
  const later: MergeRow[] = []
  for (const proposal of proposals) {
    const { survivor_id: survivorId, loser_id: loserId } = proposal
    const isBusy = losers.has(survivorId) || losers.has(loserId) || round.has(loserId)
    if (isBusy || losers.size === roundMax) {
      later.push(proposal)
      continue
    }
    const group = round.get(survivorId)
    if (group) group.push(proposal)
    else round.set(survivorId, [proposal])
    losers.add(loserId)
  }
  return { round, later }
}

/** @param absorbed the function adds the ids of absorbed records */
async function applyRound(
  tx: OrgTx,
  entityType: EntityType,
  round: Round,
  absorbed: Set<string>,
  jobs: Jobs,
  { field_choices: choices }: ChosenResult,
): Promise<Map<string, ProposalAnswer>> {
  const type = recordTypes[entityType]
  const proposals = [...round.values()].flat()
  const ids = proposals.flatMap(({ survivor_id, loser_id }) => [survivor_id, loser_id])
  // Read the locked records again: earlier rounds may have changed them.
  const stored = await lockRecords(tx, type, [...new Set(ids)], { forDelete: true })
  const records = new Map(stored.map((record) => [record.recordId, record]))
  const memberIds = stored.flatMap((record) => [...clusterOf(type, record).members.keys()])
  const pairs: Pair[] = await differentPairs(tx, entityType, memberIds)
  const answers = new Map<string, ProposalAnswer>()
  const accepted: MergeRow[][] = []
  const orders = [...round].flatMap(([survivorId, group]) => {
    const survivor = records.get(survivorId)
    if (!survivor) return []
    let cluster = clusterOf(type, survivor)
    const fitting = group.flatMap((proposal) => {
      const loser = records.get(proposal.loser_id)
      if (!loser) return []
      const own = clusterOf(type, loser)
      const [different] = pairsBetween([cluster, own], pairs)
      const refused = different ? areDifferent(different) : joinRefusal(type, cluster, own)
      if (refused) {
        answers.set(proposal.merge_id, { refused })
        return []
      }
      cluster = { ...cluster, members: new Map([...cluster.members, ...own.members]) }
      return [{ proposal, loser }]
    })
    if (fitting.length === 0) return []
    accepted.push(fitting.map(({ proposal }) => proposal))
    const losers = fitting.map(
      ({ proposal: { rule, score, evidence, model_version: modelVersion }, loser }) => ({
        stored: loser,
        reason: { method: 'manual' as const, rule, score, evidence, modelVersion },
      }),
    )
    return [{ survivor, losers, choices }]
  })
  if (orders.length === 0) return answers
  const merged = await mergeLocked(tx, type, orders, await readOrgDefaults(tx, type, []), jobs)
  for (const [index, group] of accepted.entries()) {
    for (const [turn, { merge_id: proposalId, loser_id: loserId }] of group.entries()) {
      absorbed.add(loserId)
      answers.set(proposalId, { mergeId: merged[index]?.[turn] ?? proposalId })
    }
  }
  return answers
}
