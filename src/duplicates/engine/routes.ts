import { z } from 'zod'
import { requirePermission } from '../../auth/permissions.ts'
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts'
import { id } from '../../platform/http/fields.ts'
import { resourceOf } from '../entities.ts'
import { readMerge } from '../merge/list-merges.ts'
import { Merge } from '../merge/schema.ts'
import { answerRefusal } from '../permissions.ts'
import { applyProposal, dismissProposal } from './answer-proposal.ts'
import { findCandidates } from './candidates.ts'
import { Candidate, CandidateQuery } from './schema.ts'

const tag = 'Duplicates'
const params = z.object({ id: id().describe('The `merge_id` of a proposal.') })
const errors = {
  404: 'No merge of this organization has this id',
  409: 'It is not a proposal, or the proposal is closed or out of date',
}

export const engineEndpoints: Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/duplicates/shadow/{id}/apply',
    name: 'apply_shadow_merge',
    summary: 'Apply a proposed merge',
    description: 'The answer is the new merge. It can be undone like any other merge.',
    tag,
    permission: 'duplicates:write',
    params,
    refusesStored: answerRefusal,
    shape: 'data',
    response: Merge,
    errors,
    handle: ({ org, caller, context, params }) =>
      org.transact(async (tx) => {
        const appliedId = await applyProposal(tx, caller, params.id, context.jobs)
        return readMerge(tx, caller, appliedId)
      }),
  }),
  endpoint({
    method: 'POST',
    path: '/duplicates/shadow/{id}/dismiss',
    name: 'dismiss_shadow_merge',
    summary: 'Dismiss a proposed merge',
    description: 'The two records get the verdict "different". The engine never proposes them again.',
    tag,
    permission: 'duplicates:write',
    params,
    refusesStored: answerRefusal,
    shape: 'data',
    response: Merge,
    errors,
    handle: ({ org, caller, params }) =>
      org.transact(async (tx) => {
        await dismissProposal(tx, caller, params.id)
        return readMerge(tx, caller, params.id)
      }),
  }),
  endpoint({
    method: 'GET',
    path: '/duplicates/candidates',
    name: 'list_duplicate_candidates',
    summary: 'List the most similar records of a record',
    description:
      'The most likely duplicates come first, with the probability, the evidence and the decision of the engine. The list also has records below the thresholds.',
    tag,
    permission: 'duplicates:read',
    query: CandidateQuery,
    shape: 'data',
    response: z.array(Candidate),
    example: { entity_type: 'contact', record_id: '0190a3c4-0000-7000-8000-000000000001' },
    errors: { 404: 'No record of this organization has this id' },
    handle: ({ org, caller, query: { entity_type: entityType, record_id: recordId, limit } }) => {
      requirePermission(caller, `${resourceOf(entityType)}:read`)
      return org.read((tx) => findCandidates(tx, entityType, recordId, limit))
    },
  }),
]
