import { z } from 'zod'
import { list } from '../../platform/http/collections.ts'
import { errorCode } from '../../platform/http/failure.ts'
import { id } from '../../platform/http/fields.ts'
import { listQuery } from '../../platform/http/list.ts'
import * as shown from '../../platform/http/shown.ts'
import { Evidence } from '../merge/schema.ts'
import { entityType } from '../schema.ts'

export const CandidateQuery = z.object({
  entity_type: entityType,
  record_id: id().describe('The id of a record. If the record was merged, its canonical record is used.'),
  ...listQuery,
})
export type CandidateQuery = z.output<typeof CandidateQuery>

export const Candidate = z
  .object({
    record_id: shown.id('The record that may be the same.'),
    name: shown.text('The name of the record; null: it has none.', 'Ada Lovelace').nullable(),
    score: z.number().meta({
      description: 'The probability that the two records are the same, from 0 to 1.',
      examples: [0.97],
    }),
    rule: shown.text('The rule that applies; null: no rule applies.', 'same_email').nullable(),
    evidence: z.array(Evidence).describe('How well the fields of the two records agree.'),
    veto: z
      .string()
      .nullable()
      .meta({
        description: 'Why the engine must not merge the two automatically, or at all; null: no veto.',
        examples: [null],
      }),
    outcome: shown.word(
      'CandidateOutcome',
      ['auto', 'review', 'none'],
      'The action of the engine: `auto` (merge if the mode is `auto`), `review` (propose) or `none`.',
      'review',
    ),
    would_apply: shown.flag('Whether mode `auto` would merge the two.'),
    merge_id: shown.id('The open proposal about the two records; null: none.').nullable(),
  })
  .meta({ title: 'Candidate' })
export type Candidate = z.output<typeof Candidate>

export const proposalsMax = 500

const merge_ids = list(id(), { min: 1, max: proposalsMax }).describe(
  'The `merge_id` of each proposal, each once.',
)

export const ProposalIds = z.object({ merge_ids }).meta({ title: 'ProposalIds' })

export const AnsweredProposal = z
  .object({
    merge_id: shown.id('The id of the proposal.'),
    outcome: shown.word(
      'ProposalOutcome',
      ['applied', 'dismissed', 'failed'],
      'The result for the proposal. `failed`: nothing changed.',
    ),
    applied_merge_id: shown.id('The id of the merge, if the proposal was applied.').optional(),
    code: errorCode.optional(),
    detail: z.string().optional().describe('Why the proposal failed.'),
  })
  .meta({ title: 'AnsweredProposal' })
