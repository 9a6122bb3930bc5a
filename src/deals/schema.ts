import { z } from 'zod'
import { list, nested } from '../platform/http/collections.ts'
import { id, literal, parsedText, refuse, text } from '../platform/http/fields.ts'
import * as shown from '../platform/http/shown.ts'

export const stage = text({ min: 1, max: 100, trim: true })

export const dealStatuses = ['open', 'won', 'lost'] as const

export const CloseDeal = z
  .object({
    status: literal('won', 'lost').meta({ title: 'ClosedStatus', description: 'How the deal ended.' }),
    close_reason_id: id()
      .nullable()
      .optional()
      .describe('A close reason for this status that is not archived.'),
  })
  .meta({ title: 'CloseDeal' })

const stageMove = nested({
  from: stage.describe('A stage that this change removes.'),
  to: stage.describe('A stage that stays or that this change adds.'),
}).meta({ title: 'DealStageMove' })

export const StagesBody = z
  .object({
    stages: list(stage, { min: 1, max: 50 })
      .refine((stages) => new Set(stages).size === stages.length, 'each stage may appear only once')
      .describe('All stages in their order. New deals start in the first one.'),
    moves: list(stageMove, { max: 50 })
      .optional()
      .describe(
        'Where the open deals of removed stages go, including archived deals. To rename a stage, move its deals to the new name.',
      ),
  })
  .meta({ title: 'ReplaceDealStages' })

export const Stages = z
  .object({
    stages: z
      .array(z.string())
      .meta({ description: 'All stages in their order.', examples: [['Lead', 'Proposal', 'Negotiation']] }),
    version: shown.version(),
  })
  .meta({ title: 'DealStages' })

const month = parsedText(
  (value) =>
    /^\d{4}-(0[1-9]|1[0-2])$/.test(value)
      ? value
      : refuse('the month must be written YYYY-MM, such as 2026-01'),
  { pattern: '^\\d{4}-\\d{2}$', examples: ['2026-01'] },
)

export const SummaryQuery = z.object({
  from: month
    .optional()
    .describe('The first month, in UTC. The default is 11 months before the month of `to`.'),
  to: month.optional().describe('The last month, included. The default is the current month.'),
})

const Value = z
  .object({
    currency: shown.text('The ISO 4217 code of the sum; null: deals without a currency.', 'USD').nullable(),
    deals: shown.count('How many deals are in the sum.', 3),
    amount_cents: shown.text(
      'The exact sum, as a text of decimal digits, because many programs round large JSON numbers.',
      '3750000',
    ),
  })
  .meta({ title: 'DealValue' })

const closedDeals = {
  won: z.array(Value).describe('Won deals, by currency.'),
  lost: z.array(Value).describe('Lost deals, by currency.'),
}

const ofStage = z
  .object({
    stage: shown.text('The name of the stage.', 'Proposal'),
    values: z.array(Value).describe('Open deals in the stage, by currency.'),
  })
  .meta({ title: 'DealStageSummary' })

const ofMonth = z
  .object({ month: shown.text('The month in UTC, as YYYY-MM.', '2026-01'), ...closedDeals })
  .meta({ title: 'DealMonthSummary' })

const ofReason = z
  .object({
    close_reason_id: shown.id('The id of the close reason; null: closed without a reason.').nullable(),
    label: shown.text('The label of the close reason; null: closed without a reason.', 'Price').nullable(),
    ...closedDeals,
  })
  .meta({ title: 'CloseReasonSummary' })

export const Summary = z
  .object({
    from: shown.text('The first month, as YYYY-MM.', '2026-01'),
    to: shown.text('The last month, as YYYY-MM.', '2026-12'),
    open: z.array(ofStage).describe('Open deals, by stage.'),
    months: z
      .array(ofMonth)
      .describe('Every month of the period. A deal counts in the month in which it was closed.'),
    close_reasons: z
      .array(ofReason)
      .describe('The reasons of deals closed in these months; null: closed without a reason.'),
  })
  .meta({ title: 'DealSummary' })

export type Summary = z.output<typeof Summary>
export type SummaryQuery = z.output<typeof SummaryQuery>
export type StagesBody = z.output<typeof StagesBody>
export type CloseDeal = z.output<typeof CloseDeal>
