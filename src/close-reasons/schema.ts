import { z } from 'zod'
import { boolean, integer, literal, text } from '../platform/http/fields.ts'

const label = text({ min: 1, max: 120, trim: true })
const outcome = literal('won', 'lost', 'any').describe('The deals that the reason is for.')
const position = integer({ min: 1, max: 1000 }).describe(
  'The place of the reason; 1 is the first. The reason that has this place and all later reasons move down by one. A number beyond the end adds the reason at the end.',
)

export const CloseReasonQuery = z.object({
  archived: boolean().default(false).describe('true lists archived reasons instead of active ones.'),
  outcome: literal('won', 'lost', 'any')
    .optional()
    .describe('Only reasons for these deals: `won` lists the reasons for won deals and for any deal.'),
})

export const CreateCloseReason = z
  .object({ label, outcome: outcome.default('any'), position: position.optional() })
  .meta({ title: 'CreateCloseReason' })

export const UpdateCloseReason = z
  .object({ label: label.optional(), outcome: outcome.optional(), position: position.optional() })
  .meta({ title: 'UpdateCloseReason' })

export const CloseReason = z
  .object({
    close_reason_id: z.string(),
    label: z.string(),
    outcome: z.enum(['won', 'lost', 'any']),
    position: z
      .int()
      .nullable()
      .describe(
        '1 to n without a gap; null: archived. If other reasons move, it changes without a new version.',
      ),
    version: z.int().describe('Rises with every change. Send it in If-Match.'),
    created_at: z.int().describe('Unix seconds.'),
    updated_at: z.int().describe('Unix seconds.'),
    archived_at: z.int().nullable().describe('Unix seconds; null: active.'),
  })
  .meta({ title: 'CloseReason' })

export const CloseReasonList = z.object({
  close_reasons: z.array(CloseReason),
  can_manage: z.boolean().describe('Whether your API key may create, change and archive close reasons.'),
})

export type CloseReason = z.output<typeof CloseReason>
export type CloseReasonQuery = z.output<typeof CloseReasonQuery>
export type CreateCloseReason = z.output<typeof CreateCloseReason>
export type UpdateCloseReason = z.output<typeof UpdateCloseReason>
