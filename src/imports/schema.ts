import { z } from 'zod'
import { encodingNamed } from '../csv/encoding.ts'
import { shownActor } from '../events/schema.ts'
import { country } from '../orgs/schema.ts'
import { dictionaryOf } from '../platform/http/collections.ts'
import { errorCode, type Failure, failure } from '../platform/http/failure.ts'
import { boolean, field, id, literal, refuse, strictBoolean, text } from '../platform/http/fields.ts'
import { listQuery } from '../platform/http/list.ts'
import { notText } from '../platform/http/refusal.ts'
import * as shown from '../platform/http/shown.ts'
import { matchOnSchema } from '../records/match-on.ts'
import type { RecordType } from '../records/record-type.ts'
import { dateOrders, decimalSigns } from './cell-forms.ts'
import { importKeysOf } from './match-key.ts'

const fileName = text({ max: 255, trim: true })
  .optional()
  .describe('A name by which people recognize the import.')

/** JSON text: with a text/csv body, the mapping is a parameter of the query. */
const mappingText = field<Record<string, string>>(
  (value) => {
    if (typeof value !== 'string') return notText
    try {
      const mapping: unknown = JSON.parse(value)
      const isMapping =
        typeof mapping === 'object' &&
        mapping !== null &&
        !Array.isArray(mapping) &&
        Object.values(mapping).every((target) => typeof target === 'string')
      if (isMapping) return mapping as Record<string, string>
    } catch {}
    return refuse(
      'mapping must be a JSON object of CSV headers and fields, such as {"Mail": "email", "Nr": "external_id:shop"}',
    )
  },
  { type: 'string' },
)

const dryRun = 'true reads the whole file, refuses and counts rows as an import does, and creates nothing.'

const encoding = field<string>(
  (value) =>
    (typeof value === 'string' ? encodingNamed(value) : null) ??
    refuse('encoding must be a name such as utf-8, windows-1252, iso-8859-1 or utf-16le'),
  { type: 'string' },
)

/** The query parameters of a request whose body is the file. */
export const encodingQuery = {
  encoding: encoding
    .optional()
    .describe(
      'How the bytes of a text/csv body are encoded, such as `windows-1252`; overrides `charset` of Content-Type. By default the byte order mark or the content decides: UTF-8, or else Windows-1252.',
    ),
}

/** The options of an import. They can be in the body, the form or the query. */
const optionsOf = (type: RecordType) => ({
  file_name: fileName,
  match_on: matchOnSchema(`${type.title}ImportMatchOn`, importKeysOf(type))
    .optional()
    .meta({ title: `${type.title}ImportMatchOn` })
    .describe(
      `The key by which a row finds the ${type.entity} that it updates, as in an upsert. With \`${type.idField}\`, a row updates the ${type.entity} whose id is in its \`${type.idField}\` column. Exports have this column. \`custom.<key>\` is a unique defined field. Without this parameter, each row creates a ${type.entity}.`,
    ),
  default_country: country
    .optional()
    .describe(
      'The country of phone numbers without a country code, if the row itself has none. By default, the default country of the organization.',
    ),
  decimal_sign: literal(...decimalSigns)
    .meta({ title: 'DecimalSign' })
    .optional()
    .describe(
      'The sign before the decimals of numbers in your defined fields: with `comma`, `1.234` is 1234 and `1,5` is 1.5. Without it, forms that have several meanings are refused, and `1.234` is less than 2. A spreadsheet needs no sign: its numbers are read as they are stored.',
    ),
  date_order: literal(...dateOrders)
    .meta({ title: 'DateOrder' })
    .optional()
    .describe(
      'What comes first in days with slashes in your defined fields: with `month_day`, `03/04/2026` is 4 March. Without it, such days are refused.',
    ),
})

/** The query of an import of this record type. */
export const importQuery = (type: RecordType) =>
  z.object({
    ...encodingQuery,
    mapping: mappingText
      .optional()
      .describe(
        'The fields of the columns of a text/csv body, as a JSON object such as {"Mail": "email", "Nr": "external_id:shop"}. Other columns are recognized by common names.',
      ),
    dry_run: boolean().optional().describe(dryRun),
    ...optionsOf(type),
  })
export type ImportQuery = z.output<ReturnType<typeof importQuery>>

/** The JSON body of an import of this record type. */
export const importBody = (type: RecordType) =>
  z
    .object({
      csv: text({ min: 1 }).describe('The file as text.'),
      mapping: dictionaryOf(text({ max: 200 }), { max: 1000 })
        .optional()
        .describe(
          'CSV header to field: a field of the record, full_name, external_id:<system>, custom:<key> or ignore.',
        ),
      dry_run: strictBoolean().optional().describe(dryRun),
      ...optionsOf(type),
    })
    .meta({ title: `${type.title}ImportRequest` })
export type ImportBody = z.output<ReturnType<typeof importBody>>

export const ImportPath = z.object({ import_id: id().describe('The id of the import.') })

/** The statuses of imports in lists, which contain no incomplete uploads. */
const listedStatuses = [
  'queued',
  'running',
  'succeeded',
  'failed',
  'canceled',
  'reverting',
  'reverted',
] as const
const statuses = ['uploading', ...listedStatuses] as const

export const ImportsQuery = z.object({
  dry_run: boolean()
    .optional()
    .describe('false lists only imports that write records, true only dry runs. By default both.'),
  status: literal(...listedStatuses)
    .meta({ title: 'ListedImportStatus' })
    .optional()
    .describe('Only imports of this status.'),
  ...listQuery,
})
export type ImportsQuery = z.output<typeof ImportsQuery>

export const RefusalQuery = z.object({
  outcome: literal('refused')
    .default('refused')
    .describe('To see the created records, filter their list by import_id.'),
  ...listQuery,
})

const importErrors = [
  'file_unusable',
  'mapping_unusable',
  'nothing_imported',
  'interrupted',
  'sender_removed',
  'revert_failed',
  'internal_error',
] as const
export type ImportError = Failure<(typeof importErrors)[number]>

const Column = z
  .object({
    header: shown.text('The header of the column.', 'Mail'),
    field: shown.text('The field that the column goes to; null: left out.', 'email').nullable(),
  })
  .meta({ title: 'ImportColumn' })

const Counts = z
  .object({
    rows_read: shown.count('Rows that were read.', 500),
    created: shown.count('Rows that created a record.', 420),
    updated: shown.count('Rows that changed an existing record.', 70),
    unchanged: shown.count(
      'Rows that changed nothing, because their record already had all their values.',
      8,
    ),
    refused: shown.count('Rows that could not be imported.', 2),
    unreadable: shown.count(
      'Rows that were not refused, although their e-mail address or phone number cannot be read. The record keeps the text.',
    ),
    reverted: shown.count('Records that the revert archived, or whose old values it restored.'),
    kept: shown.count(
      'Records that still have values of the import, because somebody has changed or merged them since.',
    ),
  })
  .meta({ title: 'ImportCounts' })

export const Import = z
  .object({
    import_id: shown.id('The id of the import.'),
    entity_type: shown.word('ImportedType', ['contact', 'company'], 'The type of the imported records.'),
    status: shown.word(
      'ImportStatus',
      statuses,
      'The state of the import. `uploading`: the file is not complete yet, and lists leave the import out. `succeeded`, `failed`, `canceled` and `reverted` are final, except that an import that wrote records can be reverted.',
      'succeeded',
    ),
    mode: shown.mode('The mode of the API key that sent the file. Both modes write the same records.'),
    dry_run: shown.flag(
      'true: the import created nothing, and `counts.created` is what it would have created.',
    ),
    file_name: shown.text('The name that you gave the import; null: none.', 'people.csv').nullable(),
    match_on: shown
      .text('The key by which rows found existing records; null: each row created a record.', 'email')
      .nullable(),
    default_country: shown
      .text(
        'The country of phone numbers without a country code; null: the default country of the organization.',
        'US',
      )
      .nullable(),
    decimal_sign: shown
      .word('DecimalSign', decimalSigns, 'The sign before the decimals of numbers; null: not sent.')
      .nullable(),
    date_order: shown
      .word('DateOrder', dateOrders, 'What comes first in days with slashes; null: not sent.')
      .nullable(),
    bytes_total: shown.count('The size of the file. 0: an operator sent it through standard input.', 48_213),
    encoding: shown
      .text('How the bytes were read, such as `utf-8` or `windows-1252`; null for a spreadsheet.', 'utf-8')
      .nullable(),
    columns: z.array(Column).nullable().describe('The field of each column; null until the header was read.'),
    counts: Counts.describe('The numbers of rows by outcome so far.'),
    refused_by_code: z
      .record(z.string(), z.int())
      .nullable()
      .meta({
        description: 'How many rows were refused with each code; null until the import ended.',
        examples: [{ validation_failed: 2 }],
      }),
    error: failure('ImportFailure', importErrors, 'Why the import failed; null: it did not.'),
    created_by: shownActor.describe('The API key or person that sent the file, or the operator.'),
    created_at: shown.time('When the file was sent.'),
    started_at: shown.time('When the first row was read; null: not yet.').nullable(),
    finished_at: shown.time('When the last row was written; null: not yet.').nullable(),
  })
  .meta({ title: 'Import' })

export const Refusal = z
  .object({
    line: shown.count('The line of the file, from 1.', 17),
    outcome: z.literal('refused').describe('The row was not imported.'),
    code: errorCode,
    reason: shown.text('Why the row was refused.', 'value is not a valid email address'),
  })
  .meta({ title: 'RefusedRow' })

export type Import = z.output<typeof Import>
export type Refusal = z.output<typeof Refusal>
