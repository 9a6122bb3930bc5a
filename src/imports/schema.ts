import { z } from 'zod'
import { encodingNamed } from '../csv/encoding.ts'
import { country } from '../orgs/schema.ts'
import { dictionaryOf } from '../platform/http/collections.ts'
import { errorCode, type Failure, failure } from '../platform/http/failure.ts'
import { boolean, field, id, literal, refuse, strictBoolean, text } from '../platform/http/fields.ts'
import { listQuery } from '../platform/http/list.ts'
import { notText } from '../platform/http/refusal.ts'
import type { RecordType } from '../records/record-type.ts'

const fileName = text({ max: 255, trim: true }).optional().describe('A name of the import, for people.')

/** `{"<CSV header>": "<field>"}` as JSON text: a request with a text/csv body can send it only in the query. */
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

/** The name of an encoding that `TextDecoder` knows. */
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
      'How the bytes of a text/csv body are encoded, such as `windows-1252`; overrides `charset` of Content-Type. By default a byte order mark or the bytes decide: UTF-8, or else Windows-1252.',
    ),
}

/** The options of an import, which a body, a form or a query can send. */
const optionsOf = (type: RecordType) => ({
  file_name: fileName,
  match_on: literal(...(Object.keys(type.matchOn) as [string, ...string[]]))
    .optional()
    .describe(
      `Update the ${type.entity} that matches a row on this key, as an upsert does. Without it, each row creates a ${type.entity}.`,
    ),
  default_country: country
    .optional()
    .describe(
      'The country of phone numbers without a country code, if the row itself has none. By default, the organization’s.',
    ),
})

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

export const importBody = (type: RecordType) =>
  z.object({
    csv: text({ min: 1 }).describe('The file as text.'),
    mapping: dictionaryOf(text({ max: 200 }), { max: 1000 })
      .optional()
      .describe(
        'CSV header to field: a field of the record, full_name, external_id:<system>, custom:<key> or ignore.',
      ),
    dry_run: strictBoolean().optional().describe(dryRun),
    ...optionsOf(type),
  })
export type ImportBody = z.output<ReturnType<typeof importBody>>

export const ImportPath = z.object({ import_id: id() })

export const RefusalQuery = z.object({
  outcome: literal('refused')
    .default('refused')
    .describe('For the created rows, list the records with import_id.'),
  ...listQuery,
})

const importErrors = [
  'file_unusable',
  'mapping_unusable',
  'nothing_imported',
  'interrupted',
  'revert_failed',
  'internal_error',
] as const
export type ImportError = Failure<(typeof importErrors)[number]>

export const Import = z
  .object({
    import_id: z.string(),
    entity_type: z.enum(['contact', 'company']),
    status: z.enum(['uploading', 'queued', 'running', 'succeeded', 'failed', 'reverting', 'reverted']),
    mode: z.enum(['live', 'test']),
    dry_run: z
      .boolean()
      .describe('true: the import created nothing, and `counts.created` is what it would have created.'),
    file_name: z.string().nullable(),
    match_on: z.string().nullable().describe('null: each row created a record.'),
    default_country: z.string().nullable(),
    bytes_total: z.int().describe('0: an operator sent it through standard input.'),
    encoding: z
      .string()
      .nullable()
      .describe('How the bytes were read, such as `utf-8` or `windows-1252`; null for a spreadsheet.'),
    columns: z
      .array(z.object({ header: z.string(), field: z.string().nullable().describe('null: left out.') }))
      .nullable()
      .describe('The field of each column; null until the header was read.'),
    counts: z
      .object({
        rows_read: z.int(),
        created: z.int(),
        updated: z.int().describe('Rows that changed a record which existed.'),
        unchanged: z.int().describe('Rows whose record had all of their values already.'),
        refused: z.int(),
        reverted: z.int().describe('Records that were archived, or got back what they had.'),
        kept: z.int().describe('Records that keep a part of the import, because they were changed since.'),
      })
      .meta({ title: 'ImportCounts' }),
    refused_by_code: z
      .record(z.string(), z.int())
      .nullable()
      .describe('How many rows were refused with each code; null until the import ended.'),
    error: failure(importErrors, 'Why the import failed.'),
    created_at: z.int(),
    started_at: z.int().nullable(),
    finished_at: z.int().nullable(),
  })
  .meta({ title: 'Import' })

export const Refusal = z
  .object({
    line: z.int().describe('1-based line of the file.'),
    outcome: z.literal('refused'),
    code: errorCode,
    reason: z.string(),
  })
  .meta({ title: 'RefusedRow' })

export type Import = z.output<typeof Import>
export type Refusal = z.output<typeof Refusal>
