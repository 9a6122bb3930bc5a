import { z } from 'zod'
import { list } from '../../platform/http/collections.ts'
import { errorCode } from '../../platform/http/failure.ts'
import { id } from '../../platform/http/fields.ts'
import { listQuery } from '../../platform/http/list.ts'
import { Evidence } from '../merge/schema.ts'
import { entityType } from '../schema.ts'

export const CandidateQuery = z.object({
  entity_type: entityType,
  record_id: id().describe('The id of a record. The id of a merged record stands for its canonical record.'),
  ...listQuery,
})
export type CandidateQuery = z.output<typeof CandidateQuery>

export const Candidate = z
  .object({
    record_id: z.string(),
    name: z.string().nullable(),
    score: z.number().describe('Probability that the two are the same, 0 to 1.'),
    rule: z.string().nullable().describe('The rule that applies; null: no rule applies.'),
    evidence: z.array(Evidence),
    veto: z
      .string()
      .nullable()
      .describe('Why the engine must not merge the two automatically, or at all; null: no veto.'),
    outcome: z
      .enum(['auto', 'review', 'none'])
      .describe(
        'The action of the engine: `auto` (merge if the mode is `auto`), `review` (propose) or `none`.',
      ),
    would_apply: z.boolean().describe('Whether mode `auto` would merge the two.'),
    merge_id: z.string().nullable().describe('The open proposal about the two records.'),
  })
  .meta({ title: 'Candidate' })
export type Candidate = z.output<typeof Candidate>

export const proposalsMax = 500

const merge_ids = list(id(), { min: 1, max: proposalsMax }).describe(
  'The `merge_id` of each proposal, each once.',
)

/** The proposals of a request. */
export const ProposalIds = z.object({ merge_ids })

export const AnsweredProposal = z
  .object({
    merge_id: z.string().describe('The id of the proposal.'),
    outcome: z.enum(['applied', 'dismissed', 'failed']),
    applied_merge_id: z.string().optional().describe('The id of the merge, if the proposal was applied.'),
    code: errorCode.optional(),
    detail: z.string().optional().describe('Why the item failed.'),
  })
  .meta({ title: 'AnsweredProposal' })
