import { z } from 'zod'
import { list, nested } from '../../platform/http/collections.ts'
import { errorCode } from '../../platform/http/failure.ts'
import { text, timestamp } from '../../platform/http/fields.ts'
import { listQuery } from '../../platform/http/list.ts'
import { numberFilter } from '../number-filter.ts'

/** Trimmed text; empty text is null. */
const line = (max: number) => text({ max, trim: true }).nullable().optional()

const fields = {
  number: text({ max: 250 }).describe('E.164, or national with a default_country.'),
  reason: line(200).describe('Why the number must not be called.'),
  source: line(120).describe('Where the entry comes from.'),
  since: timestamp()
    .nullable()
    .optional()
    .describe(
      'Unix seconds: when the person asked. Default: now. It is only a note: the entry is in force at once.',
    ),
}

/** The maximum number of numbers that one import accepts, as JSON and as CSV. */
export const [jsonRowsMax, csvRowsMax] = [1_000, 10_000]

export const SuppressionQuery = z.object({
  number: numberFilter.optional().describe('Only this number, in E.164.'),
  ...listQuery,
})

export const CreateSuppression = z.object(fields).meta({ title: 'CreateSuppression' })

export const ImportSuppressions = z
  .object({
    suppressions: list(nested(fields), { min: 1, max: jsonRowsMax }).describe(
      'Each entry as in POST /voice/suppressions.',
    ),
  })
  .meta({ title: 'ImportSuppressions' })

export const Suppression = z
  .object({
    suppression_id: z.string(),
    number: z.string().describe('E.164.'),
    reason: z
      .string()
      .nullable()
      .describe('`consent_denied`: erasing a contact that had denied consent to phone calls left it.'),
    source: z.string().nullable(),
    since: z.int().describe('Unix seconds.'),
    created_at: z.int().describe('Unix seconds.'),
  })
  .meta({ title: 'Suppression' })

export const CreatedSuppression = Suppression.extend({
  outcome: z
    .enum(['created', 'existing'])
    .describe('existing: the number was on the list, and nothing changed.'),
}).meta({ title: 'CreatedSuppression' })

export const ImportedSuppressions = z
  .object({
    created: z.int().describe('Numbers that are new on the list.'),
    existing: z.int().describe('Rows whose number was on the list already, or came before in this import.'),
    refused: z.int().describe('Rows that could not be read. Nothing was stored for them.'),
    refusals: z
      .array(
        z.object({
          row: z.int().describe('CSV: the line in the file. JSON: the position in the list, from 1.'),
          code: errorCode,
          reason: z.string(),
        }),
      )
      .describe('The first 1,000 refused rows.'),
  })
  .meta({ title: 'ImportedSuppressions' })

export type SuppressionQuery = z.output<typeof SuppressionQuery>
export type CreateSuppression = z.output<typeof CreateSuppression>
export type Suppression = z.output<typeof Suppression>
export type ImportedSuppressions = z.output<typeof ImportedSuppressions>
