import { z } from 'zod'
import { boolean, integer, literal, text } from '../platform/http/fields.ts'
import * as shown from '../platform/http/shown.ts'

const outcomes = ['won', 'lost', 'any'] as const

const label = text({ min: 1, max: 120, trim: true }).describe('The text that people see.')
const outcome = literal(...outcomes).meta({
  title: 'CloseReasonOutcome',
  description: 'The deals that the reason is for.',
})
const position = integer({ min: 1, max: 1000 }).describe(
  'The position of the reason, from 1. The reason that has this position now, and all later reasons, move down by one. With a number beyond the end, the reason becomes the last.',
)

export const CloseReasonQuery = z.object({
  archived: boolean().default(false).describe('true lists archived reasons instead of active ones.'),
  outcome: outcome
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
    close_reason_id: shown.id('The id of the close reason.'),
    label: shown.text('The text that people see.', 'Price'),
    outcome: shown.word('CloseReasonOutcome', outcomes, 'The deals that the reason is for.', 'lost'),
    position: shown
      .count(
        'The position in the list, counted from 1; null: archived. If other reasons move, it changes without a new version.',
        1,
      )
      .nullable(),
    version: shown.version(),
    created_at: shown.time('When the close reason was created.'),
    updated_at: shown.time('When the close reason was last changed.'),
    archived_at: shown.pendingTime('When the close reason was archived; null: active.'),
  })
  .meta({ title: 'CloseReason' })

export const CloseReasonList = z
  .object({
    close_reasons: z.array(CloseReason).describe('All close reasons in their order.'),
    can_manage: shown.flag('Whether your API key may create, change and archive close reasons.', true),
  })
  .meta({ title: 'CloseReasonList' })

export type CloseReason = z.output<typeof CloseReason>
export type CloseReasonQuery = z.output<typeof CloseReasonQuery>
export type CreateCloseReason = z.output<typeof CreateCloseReason>
export type UpdateCloseReason = z.output<typeof UpdateCloseReason>
