import { z } from 'zod'
import { list } from '../platform/http/collections.ts'
import { formatted, id, literal, refuse, text } from '../platform/http/fields.ts'

/** The name of a stage. */
export const stage = text({ min: 1, max: 100, trim: true })

export const dealStatuses = ['open', 'won', 'lost'] as const

export const CloseDeal = z
  .object({
    status: literal('won', 'lost'),
    close_reason_id: id()
      .nullable()
      .optional()
      .describe('A close reason for this status that is not archived.'),
  })
  .meta({ title: 'CloseDeal' })

export const StagesBody = z
  .object({
    stages: list(stage, { min: 1, max: 50 })
      .refine((stages) => new Set(stages).size === stages.length, 'each stage may appear only once')
      .describe('All stages in their order. New deals start in the first one.'),
  })
  .meta({ title: 'DealStages' })

export const Stages = z.object({ stages: z.array(z.string()), version: z.int() })

const month = formatted(
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
    currency: z.string().nullable().describe('null: deals without a currency.'),
    deals: z.int(),
    amount_cents: z
      .string()
      .describe('The exact sum as decimal digits, since a JSON number may be too small for it.'),
  })
  .meta({ title: 'DealValue' })

const closedDeals = { won: z.array(Value), lost: z.array(Value) }

export const Summary = z
  .object({
    from: z.string(),
    to: z.string(),
    open: z.array(z.object({ stage: z.string(), values: z.array(Value) })),
    months: z
      .array(z.object({ month: z.string(), ...closedDeals }))
      .describe('Every month of the period; deals count in the month in which they were closed.'),
    close_reasons: z
      .array(
        z.object({ close_reason_id: z.string().nullable(), label: z.string().nullable(), ...closedDeals }),
      )
      .describe('The reasons of deals closed in these months; null: closed without a reason.'),
  })
  .meta({ title: 'DealSummary' })

export type Summary = z.output<typeof Summary>
export type SummaryQuery = z.output<typeof SummaryQuery>
export type CloseDeal = z.output<typeof CloseDeal>
