import { z } from 'zod'
import { dictionaryOf, list } from '../platform/http/collections.ts'
import { boolean, id, literal, strictBoolean } from '../platform/http/fields.ts'
import { listQuery } from '../platform/http/list.ts'
import { entityTypes } from './entities.ts'

/** A kind of record, as it is sent. */
export const entityType = literal(...entityTypes)

/** Records that one merge absorbs at most. */
const losersMax = 20

/** Why a merge cannot be undone right now; the same words in the list and behind the 409. */
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
  survivor_id: id().describe('The record that stands for all of them from now on.'),
  loser_ids: list(id(), { min: 1, max: losersMax }),
  field_choices: dictionaryOf(id())
    .optional()
    .describe('By field: the record whose value is shown, where the rules would choose another.'),
  force: boolean().default(false).describe('Merges also records that were said to be different.'),
  dry_run: strictBoolean().default(false).describe('Says what would be, and changes nothing.'),
})
export type MergeRequest = z.output<typeof MergeRequest>

export const MergeQuery = z.object({
  entity_type: entityType.optional(),
  include_shadow: boolean().default(false).describe('Lists the merges that the engine only proposes, too.'),
  ...listQuery,
})
export type MergeQuery = z.output<typeof MergeQuery>

export const DryRun = z
  .object({ dry_run: strictBoolean().default(false).describe('Says what would be, and changes nothing.') })
  .default({ dry_run: false })

export const Evidence = z.object({
  field: z.string(),
  level: z.string().describe('How well the two agree in it, in words.'),
  weight: z
    .number()
    .describe('log2 of how much likelier that makes it that they are one; negative speaks against it.'),
})

export const Merge = z
  .object({
    merge_id: z.string(),
    merge_group_id: z.string().describe('The same for all losers of one request.'),
    entity_type: z.enum(entityTypes),
    status: z
      .enum(['applied', 'applying', 'undone', 'shadow', 'dismissed'])
      .describe('`dismissed` only in the answer that dismisses it: lists leave it out.'),
    is_shadow: z.boolean(),
    survivor_id: z.string(),
    loser_id: z.string(),
    survivor_name: z.string().nullable(),
    loser_name: z.string().nullable(),
    rule: z.string().nullable(),
    score: z.number().nullable().describe('Probability that the two are one, 0 to 1.'),
    evidence: z.array(Evidence),
    method: z.enum(['auto', 'manual', 'api', 'import']),
    model_version: z.string().nullable(),
    would_apply: z.boolean().nullable().describe('Of a shadow: whether mode auto would have merged the two.'),
    created_at: z.int(),
    merged_at: z.int().nullable(),
    merged_by: z.string().nullable(),
    undone_at: z.int().nullable(),
    undone_by: z.string().nullable(),
    can_undo: z.boolean().describe('Whether POST /duplicates/undo-merge/{id} accepts this row.'),
    undo_blocked_reason: z.enum(undoBlocks).nullable(),
    fields_filled: z.array(z.string()).describe('Fields of the survivor that the merge changed.'),
    children_moved: z.int().describe('Records that named the loser, and name the survivor since.'),
  })
  .meta({ title: 'Merge' })
export type Merge = z.output<typeof Merge>

export const MergeAnswer = z.object({
  merge_group_id: z.string(),
  merges: z.array(Merge),
  record: z
    .record(z.string(), z.unknown())
    .describe('The survivor as it is now; in a dry run, as it would be.'),
})

export const UndoAnswer = z
  .object({
    ...Merge.shape,
    restored_id: z.string(),
    returned_children: z.int().describe('Records that name the restored one again.'),
    kept_children: z.int().describe('Records that go on naming the survivor.'),
    warnings: z.array(z.string()),
  })
  .meta({ title: 'UndoneMerge' })
