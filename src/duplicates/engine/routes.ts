import { z } from 'zod'
import { requirePermission } from '../../auth/permissions.ts'
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts'
import { exampleId } from '../../platform/http/example-ids.ts'
import { id, refuse } from '../../platform/http/fields.ts'
import { detailAt, ValidationError } from '../../platform/http/validation.ts'
import { resourceOf } from '../entities.ts'
import { readMerge } from '../merge/list-merges.ts'
import { Merge } from '../merge/schema.ts'
import { answerRefusal } from '../permissions.ts'
import { applyProposals } from './apply-proposals.ts'
import { listCandidates } from './candidates.ts'
import { dismissProposals } from './dismiss-proposals.ts'
import type { ProposalAnswer } from './lock-proposals.ts'
import { reopenProposal } from './reopen-proposal.ts'
import {
  AnsweredProposal,
  Candidate,
  CandidateQuery,
  ProposalIds,
  ProposalResult,
  proposalsMax,
} from './schema.ts'

const tag = 'Duplicates'
const params = z.object({ id: id().describe('The `merge_id` of a proposal.') })
const errors = {
  404: 'No merge of this organization has this id',
  409: 'The merge is not a proposal, or the proposal is closed or out of date',
}

/** @throws DomainError if the request has one proposal, which was refused */
function mergeIdOf(answer: ProposalAnswer | undefined): string {
  if (!answer) throw new Error('A proposal has no answer')
  if ('refused' in answer) throw answer.refused
  return answer.mergeId
}

/** The items have the order of the request. */
function itemsOf(
  mergeIds: readonly string[],
  answers: readonly ProposalAnswer[],
  outcome: 'applied' | 'dismissed',
): z.output<typeof AnsweredProposal>[] {
  return answers.map((answer, index) => {
    const merge_id = mergeIds[index] ?? ''
    if ('refused' in answer) {
      const { code, message } = answer.refused
      return { merge_id, outcome: 'failed', code, detail: message }
    }
    return { merge_id, outcome, ...(outcome === 'applied' ? { applied_merge_id: answer.mergeId } : {}) }
  })
}

const listedTwice = refuse('this proposal is listed twice; send each id once')

/** @throws ValidationError at each repeated id */
function requireDistinct(mergeIds: readonly string[]): void {
  const problems = mergeIds.flatMap((mergeId, index) =>
    mergeIds.indexOf(mergeId) < index ? [detailAt(['body', 'merge_ids', index], listedTwice)] : [],
  )
  if (problems.length > 0) throw new ValidationError(problems)
}

const manyProposals = {
  method: 'POST',
  tag,
  permission: 'duplicates:write',
  body: ProposalIds,
  isLong: true,
  shape: 'data',
  response: z.array(AnsweredProposal),
  example: { merge_ids: [exampleId('merge_id')] },
} as const

export const engineEndpoints: Endpoint[] = [
  endpoint({
    ...manyProposals,
    path: '/duplicates/shadow/apply',
    name: 'apply_shadow_merges',
    sdk: 'duplicates.proposals.batchApply',
    summary: `Apply up to ${proposalsMax} proposed merges`,
    description:
      'The proposals are applied in order, in one transaction. An item that fails does not affect the others. If an earlier item has merged a record of a proposal, this proposal fails. The API key also needs the write permission of the record type.',
    handle: ({ org, caller, context, body: { merge_ids: ids } }) => {
      requireDistinct(ids)
      return org.transact(async (tx) =>
        itemsOf(ids, await applyProposals(tx, caller, ids, context.jobs), 'applied'),
      )
    },
  }),
  endpoint({
    ...manyProposals,
    path: '/duplicates/shadow/dismiss',
    name: 'dismiss_shadow_merges',
    sdk: 'duplicates.proposals.batchDismiss',
    summary: `Dismiss up to ${proposalsMax} proposed merges`,
    description:
      'The proposals are dismissed in one transaction. The two records of each proposal get the verdict "different". An item that fails does not affect the others. The API key also needs the write permission of the record type.',
    handle: ({ org, caller, body: { merge_ids: ids } }) => {
      requireDistinct(ids)
      return org.transact(async (tx) => itemsOf(ids, await dismissProposals(tx, caller, ids), 'dismissed'))
    },
  }),
  endpoint({
    method: 'POST',
    path: '/duplicates/shadow/{id}/apply',
    name: 'apply_shadow_merge',
    sdk: 'duplicates.proposals.apply',
    summary: 'Apply a proposed merge',
    description:
      'The answer is the new merge, which you can undo like any other merge. The body may choose the record that stays and, for a field, the record that gives the value. The API key also needs the write permission of the record type.',
    tag,
    permission: 'duplicates:write',
    params,
    body: ProposalResult,
    refusesStored: answerRefusal,
    shape: 'data',
    response: Merge,
    errors: {
      ...errors,
      404: 'No merge of this organization has this id, or the proposal has no such survivor',
    },
    example: {},
    handle: ({ org, caller, context, params, body }) =>
      org.transact(async (tx) => {
        const [answer] = await applyProposals(tx, caller, [params.id], context.jobs, body)
        return readMerge(tx, caller, mergeIdOf(answer))
      }),
  }),
  endpoint({
    method: 'POST',
    path: '/duplicates/shadow/{id}/dismiss',
    name: 'dismiss_shadow_merge',
    sdk: 'duplicates.proposals.dismiss',
    summary: 'Dismiss a proposed merge',
    description:
      'The two records get the verdict "different". The engine never proposes them again. The API key also needs the write permission of the record type.',
    tag,
    permission: 'duplicates:write',
    params,
    refusesStored: answerRefusal,
    shape: 'data',
    response: Merge,
    errors,
    handle: ({ org, caller, params }) =>
      org.transact(async (tx) => {
        const [answer] = await dismissProposals(tx, caller, [params.id])
        return readMerge(tx, caller, mergeIdOf(answer))
      }),
  }),
  endpoint({
    method: 'POST',
    path: '/duplicates/shadow/{id}/reopen',
    name: 'reopen_shadow_merge',
    sdk: 'duplicates.proposals.reopen',
    summary: 'Undo the dismissal of a proposal',
    description:
      'The proposal is open again, and the verdict "different" about the two records is deleted. The engine closes the proposal if the two no longer match. The API key also needs the write permission of the record type.',
    tag,
    permission: 'duplicates:write',
    params: z.object({ id: id().describe('The `merge_id` of a dismissed proposal.') }),
    refusesStored: answerRefusal,
    shape: 'data',
    response: Merge,
    errors: {
      ...errors,
      409: 'The proposal is not dismissed, or one of its records changed',
    },
    handle: ({ org, caller, params }) =>
      org.transact(async (tx) =>
        readMerge(tx, caller, mergeIdOf(await reopenProposal(tx, caller, params.id))),
      ),
  }),
  endpoint({
    method: 'GET',
    path: '/duplicates/candidates',
    name: 'list_duplicate_candidates',
    sdk: 'duplicates.candidates.list',
    summary: 'List the most similar records of a record',
    description:
      'The most likely duplicates come first, with the probability, the evidence and the decision of the engine. The list also has records below the thresholds. It has up to 200 records that share a match key with the record, and the records of its open proposals. Until duplicate detection is on again, records that were written while it was off are found only by the same e-mail address, phone number, domain or external id. The API key also needs the read permission of the record type.',
    tag,
    permission: 'duplicates:read',
    query: CandidateQuery,
    isLong: true,
    shape: 'page',
    response: z.array(Candidate),
    example: { entity_type: 'contact', record_id: exampleId('contact_id') },
    errors: { 404: 'No record of this organization has this id' },
    handle: ({ org, caller, context, query }) => {
      requirePermission(caller, `${resourceOf(query.entity_type)}:read`)
      return org.read((tx) => listCandidates(tx, context.cursors, query))
    },
  }),
]
