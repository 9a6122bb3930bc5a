import { z } from 'zod'
import { list, nested } from '../../platform/http/collections.ts'
import { errorCode } from '../../platform/http/failure.ts'
import { clearableText, text, timestamp } from '../../platform/http/fields.ts'
import { listQuery } from '../../platform/http/list.ts'
import * as shown from '../../platform/http/shown.ts'
import { numberFilter } from '../number-filter.ts'

const fields = {
  number: text({ max: 250 }).describe(
    'A phone number in E.164. National form also works if a default_country is set.',
  ),
  reason: clearableText(200).describe('Why the number must not be called.'),
  source: clearableText(120).describe('Where the entry comes from.'),
  since: timestamp()
    .nullable()
    .optional()
    .describe(
      'Unix seconds: when the person asked. Default: now. This time is only a note: the entry takes effect at once.',
    ),
}

/** The maximum number of numbers in one import, as JSON and as CSV. */
export const [jsonRowsMax, csvRowsMax] = [1_000, 10_000]

export const SuppressionQuery = z.object({
  number: numberFilter.optional().describe('Only this number, in E.164.'),
  ...listQuery,
})

export const CreateSuppression = z.object(fields).meta({ title: 'CreateSuppression' })

export const ImportSuppressions = z
  .object({
    suppressions: list(nested(fields).meta({ title: 'SuppressionEntry' }), {
      min: 1,
      max: jsonRowsMax,
    }).describe('Each entry as in POST /voice/suppressions.'),
  })
  .meta({ title: 'ImportSuppressions' })

export const Suppression = z
  .object({
    suppression_id: shown.id('The id of the entry.'),
    number: shown.text('The phone number in E.164.', '+12025550148'),
    reason: shown
      .text(
        'Why the number must not be called; null: not given. `consent_denied`: the number belonged to an erased contact that had denied consent to phone calls.',
        'Asked not to be called',
      )
      .nullable(),
    source: shown.text('Where the entry comes from; null: not given.', 'Support').nullable(),
    since: shown.time('When the person asked not to be called.'),
    created_at: shown.time('When the entry was created.'),
  })
  .meta({ title: 'Suppression' })

export const CreatedSuppression = Suppression.extend({
  outcome: shown.word(
    'SuppressionOutcome',
    ['created', 'existing'],
    'existing: the number was on the list, and nothing changed.',
  ),
}).meta({ title: 'CreatedSuppression' })

const RefusedSuppression = z
  .object({
    row: shown.count('For CSV, the line in the file. For JSON, the position in the list, from 1.', 3),
    code: errorCode,
    reason: shown.text('Why the row was refused.', 'the number is not a valid phone number'),
  })
  .meta({ title: 'RefusedSuppression' })

export const ImportedSuppressions = z
  .object({
    created: shown.count('Numbers that are new on the list.', 2),
    existing: shown.count(
      'Rows whose number was already on the list, or in an earlier row of this import.',
      1,
    ),
    refused: shown.count('Rows that could not be read. Nothing was stored for them.', 1),
    refusals: z.array(RefusedSuppression).describe('The first 1,000 refused rows.'),
  })
  .meta({ title: 'ImportedSuppressions' })

export type SuppressionQuery = z.output<typeof SuppressionQuery>
export type CreateSuppression = z.output<typeof CreateSuppression>
export type Suppression = z.output<typeof Suppression>
export type ImportedSuppressions = z.output<typeof ImportedSuppressions>
