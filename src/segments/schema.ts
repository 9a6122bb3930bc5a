import { z } from 'zod'
import { entityTypes } from '../matching/entity-type.ts'
import { literal, text } from '../platform/http/fields.ts'
import * as shown from '../platform/http/shown.ts'
import { anyFilterTree } from '../records/filters/read-json.ts'

const entity = literal(...entityTypes).meta({
  title: 'SegmentEntity',
  description: 'The records that the segment selects. It never changes.',
})
const name = text({ min: 1, max: 120, trim: true }).describe('The name that people see.')
const filter = anyFilterTree
  .nullable()
  .describe('A filter as `POST /contacts/search` accepts it, up to 16 KiB; null: all records.')
const q = text({ min: 1, max: 200, trim: true })
  .nullable()
  .describe('Words that each record must contain, with the same rules as `q` of the list; null: no words.')
const sort = text({ min: 1, max: 200 })
  .nullable()
  .describe('The order of lists that do not send `sort`, such as `-updated_at`; null: the newest first.')

export const SegmentQuery = z.object({
  entity: entity.optional().describe('Only segments of these records.'),
})

export const CreateSegment = z
  .object({ entity, name, filter: filter.default(null), q: q.default(null), sort: sort.default(null) })
  .meta({ title: 'CreateSegment' })

export const UpdateSegment = z
  .object({ name: name.optional(), filter: filter.optional(), q: q.optional(), sort: sort.optional() })
  .meta({ title: 'UpdateSegment' })

const problemCodes = [
  'filter_invalid',
  'field_deleted',
  'field_type_changed',
  'option_deleted',
  'stage_deleted',
] as const

export const SegmentProblem = z
  .object({
    code: shown.word(
      'SegmentProblemCode',
      problemCodes,
      '`filter_invalid`: lists with the segment answer 422. With all other codes, the segment still works, but may find fewer records than you expect.',
    ),
    message: shown.text('The problem, and how to solve it.', 'No stage is named "Demo". Change the filter.'),
  })
  .meta({ title: 'SegmentProblem' })

export const Segment = z
  .object({
    segment_id: shown.id('The id of the segment. Send it to lists, exports and pushes.'),
    entity: shown.word('SegmentEntity', entityTypes, 'The records that the segment selects.', 'contact'),
    name: shown.text('The name that people see.', 'New leads'),
    filter: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({
        description: 'The filter, with the operator of each condition; null: all records.',
        examples: [{ field: 'lifecycle_stage', op: 'eq', value: 'lead' }],
      }),
    q: shown
      .text('Words that each record must contain; null: no words.', 'ada')
      .nullable()
      .meta({ examples: [null] }),
    sort: shown.text('The order of lists; null: the newest first.', '-updated_at').nullable(),
    count: shown
      .count(
        'The number of active records in the segment at `counted_at`; null: `count_state` says why.',
        1280,
      )
      .nullable(),
    counted_at: shown.pendingTime('When the records were last counted; null: not since the filter changed.'),
    count_state: shown.word(
      'SegmentCountState',
      ['counted', 'counting', 'too_slow', 'filter_invalid', 'limited'],
      '`counting`: read the segment again later. `too_slow`: PostgreSQL stopped the last count after 10 s. `filter_invalid`: no list works with this filter, see `problem`. `limited`: your record access is limited, and a count would include hidden records.',
    ),
    problem: SegmentProblem.nullable().describe(
      'Why the segment does not do what its filter says; null: there is no problem.',
    ),
    version: shown.version(),
    created_at: shown.time('When the segment was created.'),
    updated_at: shown.time('When the segment was last changed.'),
  })
  .meta({ title: 'Segment' })

export const SegmentList = z
  .object({ segments: z.array(Segment).describe('The segments, by their records and names.') })
  .meta({ title: 'SegmentList' })

export type Segment = z.output<typeof Segment>
export type SegmentProblem = z.output<typeof SegmentProblem>
export type CreateSegment = z.output<typeof CreateSegment>
export type UpdateSegment = z.output<typeof UpdateSegment>
