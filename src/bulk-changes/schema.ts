import { z } from 'zod'
import { shownActor } from '../events/schema.ts'
import { entityTypes } from '../matching/entity-type.ts'
import { dictionary, list, nested } from '../platform/http/collections.ts'
import { type Failure, failure } from '../platform/http/failure.ts'
import { field, id, literal, refuse, text } from '../platform/http/fields.ts'
import { listQuery } from '../platform/http/list.ts'
import * as shown from '../platform/http/shown.ts'
import { withExpectedNames } from '../platform/http/unknown-names.ts'
import { anyFilterTree } from '../records/filters/read-json.ts'

export const statuses = ['queued', 'running', 'succeeded', 'failed', 'canceled'] as const

const tags = list(text({ min: 1, max: 100, trim: true }), { min: 1, max: 50 })

const onlyTrue = field<true>((value) => (value === true ? true : refuse('archive can only be true')), {
  type: 'boolean',
  enum: [true],
} as never)

/** The members of a change, for people who sent none, or another one. */
export const changeMembers = 'owner_id, add_tags, remove_tags, custom or archive'

const ChangeMembers = nested({
  owner_id: id().nullable().optional().describe('The member who gets the records; null: nobody owns them.'),
  add_tags: tags.optional().describe('Tags that each record gets.'),
  remove_tags: tags.optional().describe('Tags that are removed from each record.'),
  custom: dictionary({ maxBytes: 16 * 1024 })
    .optional()
    .describe('Members of `custom` that each record gets; null removes a member. Other members stay.'),
  archive: onlyTrue.optional().describe('Archives the records. Nothing else can change in the same request.'),
})

const Change = withExpectedNames(ChangeMembers, changeMembers).meta({ title: 'RecordsChange' })

const selection = {
  entity: literal(...entityTypes).meta({ title: 'BulkChangeEntity', description: 'The record type.' }),
  filter: anyFilterTree.optional().describe('A filter as `POST /contacts/search` accepts it.'),
  q: text({ min: 1, max: 200, trim: true })
    .optional()
    .describe('Words that each record must contain, with the same rules as `q` of the list.'),
  segment_id: id().optional().describe('Only records of this segment.'),
  change: Change.describe('What changes in each record.'),
}

export const BulkChangeQuery = z.object({
  entity: literal(...entityTypes)
    .meta({ title: 'BulkChangeEntity' })
    .optional()
    .describe('Only changes of this record type.'),
  status: literal(...statuses)
    .meta({ title: 'BulkChangeStatus' })
    .optional()
    .describe('Only changes of this status.'),
  ...listQuery,
})

export const CreateBulkChange = z.object(selection).meta({ title: 'CreateBulkChange' })
export const PreviewBulkChange = z.object(selection).meta({ title: 'PreviewBulkChange' })

export const BulkChangePreview = z
  .object({ records: shown.count('How many active records match, as far as you see them.', 1280) })
  .meta({ title: 'BulkChangePreview' })

const errors = ['sender_removed', 'filter_unusable', 'internal_error'] as const
export type BulkChangeError = Failure<(typeof errors)[number]>

const Refusal = z
  .object({
    record_id: shown.id('The record that was not changed.'),
    code: shown.text('The reason, as a stable code for programs.', 'value_taken'),
    reason: shown.text('The reason.', 'The field is unique: send another value'),
  })
  .meta({ title: 'BulkChangeRefusal' })

const ShownChange = z
  .object({
    owner_id: shown.id('The member who gets the records; null: nobody owns them.').nullable().optional(),
    add_tags: z.array(z.string()).optional().describe('Tags that each record gets.'),
    remove_tags: z.array(z.string()).optional().describe('Tags that are removed from each record.'),
    custom: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('Members of `custom` that each record gets; null removes a member.'),
    archive: shown.flag('Whether the records are archived.', true).optional(),
  })
  .meta({
    title: 'RequestedChange',
    description: 'What changes in each record: the members that the request had; null: the job has ended.',
  })

export const BulkChange = z
  .object({
    bulk_change_id: shown.id('The id of the change.'),
    entity: shown.word('BulkChangeEntity', entityTypes, 'The record type.'),
    status: shown.word('BulkChangeStatus', statuses, 'The state of the job.', 'succeeded'),
    change: ShownChange.nullable(),
    records: shown.count('How many records matched when the change was requested.', 1280),
    changed: shown.count('How many records have been changed.', 1279),
    unchanged: shown.count('How many records had the values already.', 0),
    refused: shown.count('How many records could not be changed.', 1),
    refusals: z.array(Refusal).describe('The first 100 records that could not be changed, and why.'),
    error: failure('BulkChangeFailure', errors, 'Why the job failed; null: it did not.'),
    created_by: shownActor.describe('The API key or person that requested the change.'),
    created_at: shown.time('When the change was requested.'),
    ended_at: shown.pendingTime('When the job ended; null: it has not ended.'),
  })
  .meta({ title: 'BulkChange' })

export type BulkChange = z.output<typeof BulkChange>
export type CreateBulkChange = z.output<typeof CreateBulkChange>
export type Change = z.output<typeof Change>
