import { z } from 'zod'
import { entityTypes } from '../matching/entity-type.ts'
import { list, nested } from '../platform/http/collections.ts'
import { boolean, integer, literal, text } from '../platform/http/fields.ts'
import * as shown from '../platform/http/shown.ts'
import { fieldTypes } from '../records/defined-fields/definition.ts'
import { optionsMax } from '../records/defined-fields/read-value.ts'

const conversionStates = ['running', 'succeeded', 'failed'] as const
const indexStates = ['building', 'ready', 'failed'] as const

const entity = literal(...entityTypes).meta({
  title: 'FieldEntity',
  description: 'The record type that has the field.',
})
const key = text({ min: 1, max: 100, trim: true }).describe(
  'The member of `custom` that holds the value. It never changes.',
)
const label = text({ min: 1, max: 120, trim: true }).describe('The name that people see.')
const description = text({ max: 500, trim: true }).describe('A help text for people; empty: none.')
const type = literal(...fieldTypes).meta({
  title: 'FieldType',
  description:
    'What the values are. A `date` is `YYYY-MM-DD`, a `datetime` is stored as `YYYY-MM-DDTHH:MM:SSZ`, a `phone` in E.164.',
})
const options = list(text({ min: 1, max: 120, trim: true }), { min: 1, max: optionsMax }).describe(
  'The values of a `select` or `multi_select`, in the order in which people see them.',
)
const position = integer({ min: 1, max: 1000 }).describe(
  'The position among the fields of this record type, from 1. The field that has this position now, and all later fields, move down by one.',
)
const filterable = boolean().describe(
  'Whether the values get an index, so that filters by this field are fast. A background job builds it (`index_state`). At most 20 fields of each record type have one.',
)
const unique = boolean().describe(
  'Whether a second active record with the same value is refused (409 `value_taken`). For `text`, `number`, `date`, `datetime`, `url`, `email` and `phone`. A unique field is also filterable.',
)
const existing = literal('refuse', 'keep', 'convert').default('refuse').meta({
  title: 'ExistingValues',
  description:
    'What happens to values that records have: `refuse` answers 409 if some do not fit, and changes nothing. `keep` leaves all values until somebody writes them. `convert` starts a job that converts them, and leaves those that cannot be converted (`conversion`).',
})
const renameOptions = list(
  nested({
    from: text({ min: 1, max: 120, trim: true }).describe('The option as it is now.'),
    to: text({ min: 1, max: 120, trim: true }).describe(
      'Its new name. If another option has this name, the two become one.',
    ),
  }).meta({ title: 'RenameOption' }),
  { min: 1, max: optionsMax },
).describe(
  'Options of a `select` or `multi_select` to rename. A job changes the value in all records (`conversion`). Segments follow at once.',
)

export const FieldQuery = z.object({
  entity: entity.optional().describe('Only fields of this record type.'),
})

export const CreateField = z
  .object({
    ...{ entity, key, label: label.optional(), description: description.optional(), type },
    ...{ options: options.optional(), position: position.optional(), existing },
    filterable: filterable.default(false),
    unique: unique.default(false),
  })
  .meta({ title: 'CreateField' })

export const UpdateField = z
  .object({
    ...{ label: label.optional(), description: description.optional(), type: type.optional() },
    ...{ options: options.optional(), position: position.optional(), existing },
    rename_options: renameOptions.optional(),
    filterable: filterable.optional(),
    unique: unique.optional(),
  })
  .meta({ title: 'UpdateField' })

const Conversion = z
  .object({
    state: shown.word(
      'FieldConversionState',
      conversionStates,
      'Whether the job runs. After `failed`, send `"existing": "convert"` again.',
      'succeeded',
    ),
    records: shown.count('How many records had a value to convert when the job started.', 12),
    converted: shown.count('How many records have been changed.', 11),
    unfit: shown.count('How many records keep a value that does not fit.', 1),
    unfit_ids: z
      .array(shown.id('The id of a record.'))
      .describe('The first 100 records that keep a value that does not fit.'),
  })
  .meta({ title: 'FieldConversion' })

export const Field = z
  .object({
    field_id: shown.id('The id of the field.'),
    entity: shown.word('FieldEntity', entityTypes, 'The record type that has the field.', 'contact'),
    key: shown.text('The member of `custom` that holds the value.', 'plan'),
    label: shown.text('The name that people see.', 'Plan'),
    description: shown.text('A help text for people; null: none.', 'What the customer pays for').nullable(),
    type: shown.word('FieldType', fieldTypes, 'What the values are.', 'select'),
    options: z
      .array(z.string())
      .describe('The values of a `select` or `multi_select`; empty for other types.'),
    position: shown.count('The position among the fields of this record type, counted from 1.', 1),
    filterable: shown.flag('Whether the values have an index, so that filters by this field are fast.', true),
    unique: shown.flag('Whether a second active record with the same value is refused.', false),
    index_state: shown
      .word(
        'FieldIndexState',
        indexStates,
        'The index: `building`, `ready` or `failed`; null without one. Filters find the same records in every state. They are fast when it is `ready`.',
        'ready',
      )
      .nullable(),
    conversion: Conversion.nullable().describe(
      'The latest job that converted the values of existing records; null: none.',
    ),
    version: shown.version(),
    created_at: shown.time('When the field was defined.'),
    updated_at: shown.time('When the definition was last changed.'),
  })
  .meta({ title: 'Field' })

export const FieldList = z
  .object({
    fields: z.array(Field).describe('All fields, by record type, each in its order.'),
    can_manage: shown.flag('Whether your API key may define, change and delete fields.', true),
  })
  .meta({ title: 'FieldList' })

export type Field = z.output<typeof Field>
export type CreateField = z.output<typeof CreateField>
export type UpdateField = z.output<typeof UpdateField>
