import { z } from 'zod'
import { dictionaryOf, list } from '../../platform/http/collections.ts'
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

const actions = ['merge', 'propose', 'nothing'] as const
const action = (description: string) => shown.word('PreviewedAction', actions, description, 'propose')

const PreviewCounts = z
  .object({
    merged: shown.count('Pairs that the engine would merge.', 3),
    proposed: shown.count('Pairs that the engine would propose.', 12),
    left: shown.count('Pairs that the engine would leave alone.', 1),
  })
  .meta({ title: 'PreviewCounts' })
export type PreviewCounts = z.output<typeof PreviewCounts>

const beforeAndAfter = {
  before: PreviewCounts.describe('With the present settings.'),
  after: PreviewCounts.describe('With the settings of the request.'),
}

const SettingsPreview = z
  .object({
    since: shown.time('The preview has the pairs that the engine proposed or merged at or after this time.'),
    ...beforeAndAfter,
    contradicted: shown.count(
      'Pairs that the settings of the request would merge, although somebody dismissed the proposal or undid the merge.',
      0,
    ),
    rules: z
      .array(
        z
          .object({
            rule: shown.text('The name of a rule; null: the score alone.', 'same_email').nullable(),
            ...beforeAndAfter,
          })
          .meta({ title: 'RulePreview' }),
      )
      .describe('The same numbers for each rule of the record type.'),
    changes: z
      .array(
        z
          .object({
            merge_id: shown.id('The id of the proposal or the merge.'),
            survivor_name: shown
              .text('The name of one record; null: it has none.', 'Ada Lovelace')
              .nullable(),
            loser_name: shown
              .text('The name of the other record; null: it has none.', 'A. Lovelace')
              .nullable(),
            rule: shown.text('The rule that applies; null: none.', 'same_email').nullable(),
            score: z.number().meta({ description: 'The probability of a match, 0 to 1.', examples: [0.97] }),
            before: action('The action with the present settings.'),
            after: action('The action with the settings of the request.'),
          })
          .meta({ title: 'PreviewedPair' }),
      )
      .describe('Up to 20 pairs with which the engine would act differently, the highest scores first.'),
    incomplete_because: z
      .array(z.enum(['many_pairs', 'lower_review_threshold', 'was_off']).meta({ title: 'PreviewGap' }))
      .describe(
        'Why pairs are missing. `many_pairs`: only the newest 1,000 are counted. `lower_review_threshold`: the engine stored no pairs below the present threshold. `was_off`: the request turns on a mode or a rule that is off now, and the engine stored no pairs for it.',
      ),
  })
  .meta({ title: 'SettingsPreview' })
export type SettingsPreview = z.output<typeof SettingsPreview>

const preview = (type: string) =>
  SettingsPreview.nullable().describe(`The preview for ${type}; null: the request does not name them.`)

export const SettingsPreviews = z
  .object({ contact: preview('contacts'), company: preview('companies'), deal: preview('deals') })
  .meta({ title: 'SettingsPreviews' })

export const proposalsMax = 500

const merge_ids = list(id(), { min: 1, max: proposalsMax }).describe(
  'The `merge_id` of each proposal, each once.',
)

export const ProposalIds = z.object({ merge_ids }).meta({ title: 'ProposalIds' })

export const ProposalResult = z
  .object({
    survivor_id: id()
      .optional()
      .describe('The record that stays: one of the two. By default, the survivor of the proposal.'),
    field_choices: dictionaryOf(id())
      .optional()
      .describe(
        'By field, the id of the record whose value the survivor takes, as in POST /duplicates/merge.',
      ),
  })
  .meta({ title: 'ProposalResult' })
  .default({})

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
