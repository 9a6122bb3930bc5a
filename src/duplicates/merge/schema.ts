import { z } from 'zod'
import { entityTypes } from '../../matching/entity-type.ts'
import { dictionaryOf, list } from '../../platform/http/collections.ts'
import { exampleId } from '../../platform/http/example-ids.ts'
import { boolean, id, literal, number, strictBoolean, text, timestamp } from '../../platform/http/fields.ts'
import { listQuery } from '../../platform/http/list.ts'
import * as shown from '../../platform/http/shown.ts'
import { entityType } from '../schema.ts'

const losersMax = 20

const undoBlocks = [
  'shadow',
  'already_undone',
  'applying',
  'expired',
  'erased',
  'survivor_deleted',
  'not_permitted',
] as const

export type UndoBlock = (typeof undoBlocks)[number]

export const MergeRequest = z
  .object({
    entity_type: entityType,
    survivor_id: id().describe('The record into which the others are merged.'),
    loser_ids: list(id(), { min: 1, max: losersMax }).describe('The records that the survivor absorbs.'),
    field_choices: dictionaryOf(id())
      .optional()
      .describe(
        'By field, the id of the record whose value the survivor takes, instead of the value that the policy would choose.',
      ),
    force: strictBoolean().default(false).describe('Also merges records with the verdict "different".'),
    dry_run: strictBoolean().default(false).describe('Returns the result without changing anything.'),
  })
  .meta({ title: 'MergeRequest' })
export type MergeRequest = z.output<typeof MergeRequest>

export const MergeQuery = z.object({
  entity_type: entityType.optional().describe('Only merges of this record type.'),
  include_shadow: boolean().default(false).describe('true also lists open proposals.'),
  record_id: id().optional().describe('Only merges whose survivor or loser has this id.'),
  status: literal('applied', 'undone', 'shadow', 'dismissed')
    .meta({ title: 'MergeFilterStatus' })
    .optional()
    .describe(
      'Only merges with this status, instead of `include_shadow`. `applied` also lists merges with the status `applying`.',
    ),
  sort: literal('-created_at', '-score')
    .meta({ title: 'MergeSort' })
    .default('-created_at')
    .describe('The order: the newest first, or the highest score first. Merges without a score come last.'),
  rule: text({ min: 1, max: 50 }).optional().describe('Only merges that this rule decided.'),
  min_score: number({ min: 0, max: 1 }).optional().describe('Only merges with at least this score.'),
  created_since: timestamp()
    .optional()
    .describe('Unix seconds. Only merges and proposals that were created at or after this time.'),
  ...listQuery,
})
export type MergeQuery = z.output<typeof MergeQuery>

export const DryRun = z
  .object({
    dry_run: strictBoolean().default(false).describe('Returns the result without changing anything.'),
  })
  .meta({ title: 'UndoMergeRequest' })
  .default({ dry_run: false })

export const Evidence = z
  .object({
    field: shown.text('The compared field.', 'email'),
    level: shown.text('How well the two values agree, in words.', 'the same'),
    weight: z.number().meta({
      description:
        'How much this field changes the odds that the two records are the same, as an exponent of two. A negative weight lowers the odds.',
      examples: [9.4],
    }),
  })
  .meta({ title: 'DuplicateEvidence' })

export const Merge = z
  .object({
    merge_id: shown.id(
      'The id of the merge or the proposal. In the answer to a dry run, no merge has this id.',
    ),
    merge_group_id: shown.id('All merges of one request have the same group id.'),
    entity_type: shown.word('EntityType', entityTypes, 'The type of the two records.'),
    status: shown.word(
      'MergeStatus',
      ['applied', 'applying', 'undone', 'shadow', 'dismissed', 'stale'],
      'A proposal is `shadow` while it is open, and then `dismissed`, or `stale` if it was applied or one of its records changed. Lists show dismissed proposals only with `status=dismissed`, and never show `stale` ones.',
    ),
    is_shadow: shown.flag('True if this is only a proposal, which has merged nothing.'),
    survivor_id: shown.id('The record that the merge keeps.'),
    loser_id: shown.id('The record that the survivor absorbs.'),
    survivor_name: shown.text('The name of the survivor; null: it has none.', 'Ada Lovelace').nullable(),
    loser_name: shown.text('The name of the absorbed record; null: it has none.', 'A. Lovelace').nullable(),
    rule: shown.text('The rule that decided; null: no rule decided.', 'same_email').nullable(),
    score: z
      .number()
      .nullable()
      .meta({
        description: 'The probability that the two records are the same, from 0 to 1; null: not computed.',
        examples: [0.97],
      }),
    evidence: z.array(Evidence).describe('How well the fields of the two records agreed.'),
    method: shown.word(
      'MergeMethod',
      ['auto', 'manual', 'api', 'import'],
      '`auto`: the engine merged the records. `manual`: a user applied a proposal. `api`: a request merged the records. `import`: an import merged them.',
      'api',
    ),
    model_version: shown
      .text('The version of the model that computed the score; null: there is no score.', '1')
      .nullable(),
    would_apply: z
      .boolean()
      .nullable()
      .meta({
        description: 'For a proposal: whether mode `auto` would merge the two. null: it is not a proposal.',
        examples: [null],
      }),
    created_at: shown.time('When the merge or the proposal was created.'),
    merged_at: shown.time('When the two were merged; null: not merged.').nullable(),
    merged_by: shown
      .id(
        'The API key or member that merged the records; null: not merged, or merged by the engine or the operator.',
      )
      .nullable(),
    undone_at: shown.pendingTime('When the merge was undone; null: not undone.'),
    undone_by: shown
      .id('The API key or member that undid the merge; null: not undone, or undone by the operator.')
      .nullable()
      .meta({ examples: [null] }),
    can_undo: shown.flag('Whether POST /duplicates/undo-merge/{id} would succeed now.', true),
    undo_blocked_reason: z
      .enum([...undoBlocks, 'dry_run'])
      .meta({ title: 'UndoBlock' })
      .nullable()
      .meta({ description: 'Why the merge cannot be undone now; null: it can be undone.', examples: [null] }),
    fields_filled: z
      .array(z.string())
      .meta({ description: 'Fields of the survivor that the merge changed.', examples: [['phone']] }),
    children_moved: shown
      .count(
        'How many records referred to the loser and refer to the survivor now; null: the member sees only some.',
        2,
      )
      .nullable(),
  })
  .meta({ title: 'Merge' })
export type Merge = z.output<typeof Merge>

export const MergeAnswer = z
  .object({
    dry_run: shown.flag('true: nothing was merged, and the answer shows what a merge would do.'),
    merge_group_id: shown.id(
      'The `merge_group_id` of all merges of the request. After a dry run, no merge has this id.',
    ),
    merges: z.array(Merge).describe('One merge for each absorbed record.'),
    record: z.record(z.string(), z.unknown()).meta({
      description: 'The survivor after the merge, as GET returns it.',
      examples: [{ contact_id: exampleId('survivor_id'), first_name: 'Ada', version: 2 }],
    }),
  })
  .meta({ title: 'MergeResult' })

export const UndoAnswer = z
  .object({
    dry_run: shown.flag('true: the merge is not undone, and the answer shows what an undo would do.'),
    ...Merge.shape,
    restored_id: shown.id('The record that the undo restored.'),
    returned_children: shown
      .count('How many records refer to the restored record again; null: the member sees only some.', 2)
      .nullable(),
    kept_children: shown
      .count('How many records still refer to the survivor; null: the member sees only some.')
      .nullable(),
    warnings: z
      .array(z.string())
      .meta({ description: 'Warnings about values that the undo could not restore.', examples: [[]] }),
  })
  .meta({ title: 'UndoneMerge' })
