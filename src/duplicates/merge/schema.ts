import { z } from 'zod'
import { entityTypes } from '../../matching/entity-type.ts'
import { dictionaryOf, list } from '../../platform/http/collections.ts'
import { boolean, id, literal, number, strictBoolean, text, timestamp } from '../../platform/http/fields.ts'
import { listQuery } from '../../platform/http/list.ts'
import { entityType } from '../schema.ts'

const losersMax = 20

/** The reasons why a merge cannot be undone now. */
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

export const MergeRequest = z.object({
  entity_type: entityType,
  survivor_id: id().describe('The record into which the others are merged.'),
  loser_ids: list(id(), { min: 1, max: losersMax }),
  field_choices: dictionaryOf(id())
    .optional()
    .describe(
      'By field, the id of the record whose value the survivor takes, instead of the value that the policy would choose.',
    ),
  force: strictBoolean().default(false).describe('Also merges records with the verdict "different".'),
  dry_run: strictBoolean().default(false).describe('Returns the result without changing anything.'),
})
export type MergeRequest = z.output<typeof MergeRequest>

export const MergeQuery = z.object({
  entity_type: entityType.optional(),
  include_shadow: boolean().default(false).describe('Also lists open proposals.'),
  record_id: id().optional().describe('Only merges whose survivor or loser has this id.'),
  status: literal('applied', 'undone', 'shadow')
    .optional()
    .describe(
      'Only merges with this status, instead of `include_shadow`. `applied` also lists merges with the status `applying`.',
    ),
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
  .default({ dry_run: false })

export const Evidence = z.object({
  field: z.string(),
  level: z.string().describe('How well the two values agree, in words.'),
  weight: z
    .number()
    .describe(
      'How much this field changes the odds that the two are the same, as a power of two. A negative weight lowers the odds.',
    ),
})

export const Merge = z
  .object({
    merge_id: z.string(),
    merge_group_id: z.string().describe('All merges of one request have the same group id.'),
    entity_type: z.enum(entityTypes),
    status: z
      .enum(['applied', 'applying', 'undone', 'shadow', 'dismissed', 'stale'])
      .describe(
        'A proposal is `shadow` while it is open, and then `dismissed`, or `stale` if it was applied or one of its records changed. Lists leave closed proposals out.',
      ),
    is_shadow: z.boolean(),
    survivor_id: z.string(),
    loser_id: z.string(),
    survivor_name: z.string().nullable(),
    loser_name: z.string().nullable(),
    rule: z.string().nullable(),
    score: z.number().nullable().describe('Probability that the two are the same, 0 to 1.'),
    evidence: z.array(Evidence),
    method: z.enum(['auto', 'manual', 'api', 'import']),
    model_version: z.string().nullable(),
    would_apply: z.boolean().nullable().describe('For a proposal: whether mode `auto` would merge the two.'),
    created_at: z.int(),
    merged_at: z.int().nullable(),
    merged_by: z.string().nullable(),
    undone_at: z.int().nullable(),
    undone_by: z.string().nullable(),
    can_undo: z.boolean().describe('Whether POST /duplicates/undo-merge/{id} would succeed now.'),
    undo_blocked_reason: z.enum(undoBlocks).nullable(),
    fields_filled: z.array(z.string()).describe('Fields of the survivor that the merge changed.'),
    children_moved: z.int().describe('How many records referred to the loser and refer to the survivor now.'),
  })
  .meta({ title: 'Merge' })
export type Merge = z.output<typeof Merge>

export const MergeAnswer = z.object({
  merge_group_id: z.string(),
  merges: z.array(Merge),
  record: z.record(z.string(), z.unknown()).describe('The survivor after the merge.'),
})

export const UndoAnswer = z
  .object({
    ...Merge.shape,
    restored_id: z.string(),
    returned_children: z.int().describe('How many records refer to the restored record again.'),
    kept_children: z.int().describe('How many records still refer to the survivor.'),
    warnings: z.array(z.string()),
  })
  .meta({ title: 'UndoneMerge' })
