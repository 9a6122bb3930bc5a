import { z } from 'zod'
import { list } from '../platform/http/collections.ts'
import { formatted, id, literal, refuse, text } from '../platform/http/fields.ts'
import { commonAnswer, commonFields, email } from '../records/fields.ts'
import { amount, currency } from './money.ts'

const stage = text({ min: 1, max: 100, trim: true })

const dealStatuses = ['open', 'won', 'lost'] as const

/** What a writer may send of a new deal. */
export const DealFields = z
  .object({
    name: text({ min: 1, max: 300, trim: true }),
    amount_cents: amount.nullable().optional().describe('In the minor unit of `currency`, which it needs.'),
    currency: currency.nullable().optional().describe('ISO 4217.'),
    stage: stage.optional().describe('One of GET /deals/stages; a new deal is in the first unless told.'),
    company_id: id().nullable().optional(),
    contact_ids: list(id(), { max: 100 })
      .nullable()
      .optional()
      .describe('In their order, the main one first.'),
    owner_email: email.nullable().optional(),
    ...commonFields,
  })
  .meta({ title: 'DealFields' })

/** What a writer may send to change one; null clears. */
export const DealChanges = DealFields.partial().meta({ title: 'DealChanges' })

export const Deal = z
  .object({
    deal_id: z.string(),
    name: z.string(),
    amount_cents: z.int().nullable().describe('In the minor unit of `currency`.'),
    currency: z.string().nullable(),
    stage: z.string(),
    status: z.enum(dealStatuses).describe('Moved by close and reopen alone.'),
    company_id: z.string().nullable(),
    contact_ids: z.array(z.string()),
    close_reason_id: z.string().nullable(),
    closed_at: z.int().nullable().describe('Unix seconds; null: open.'),
    owner_email: z.string().nullable(),
    ...commonAnswer,
  })
  .meta({ title: 'Deal' })

export const CloseDeal = z
  .object({
    status: literal('won', 'lost'),
    close_reason_id: id().nullable().optional().describe('One that is not archived, and fits the status.'),
  })
  .meta({ title: 'CloseDeal' })

export const StagesBody = z
  .object({
    stages: list(stage, { min: 1, max: 50 })
      .refine((stages) => new Set(stages).size === stages.length, 'each stage may be there once')
      .describe('All stages, in their order; new deals start in the first.'),
  })
  .meta({ title: 'DealStages' })

export const Stages = z.object({ stages: z.array(z.string()), version: z.int() })

const month = formatted(
  (value) =>
    /^\d{4}-(0[1-9]|1[0-2])$/.test(value) ? value : refuse('a month is written YYYY-MM, such as 2026-01'),
  { pattern: '^\\d{4}-\\d{2}$', examples: ['2026-01'] },
)

export const SummaryQuery = z.object({
  from: month.optional().describe('The first month, in UTC; eleven before the last unless told.'),
  to: month.optional().describe('The last month, included; this one unless told.'),
})

const Value = z
  .object({
    currency: z.string().nullable().describe('null: deals without one.'),
    deals: z.int(),
    amount_cents: z
      .string()
      .describe('The sum as decimal digits: exact, also where a double would round it.'),
  })
  .meta({ title: 'DealValue' })

const ended = { won: z.array(Value), lost: z.array(Value) }

export const Summary = z
  .object({
    from: z.string(),
    to: z.string(),
    open: z.array(z.object({ stage: z.string(), values: z.array(Value) })),
    months: z
      .array(z.object({ month: z.string(), ...ended }))
      .describe('Every month, by when deals were closed.'),
    close_reasons: z
      .array(z.object({ close_reason_id: z.string().nullable(), label: z.string().nullable(), ...ended }))
      .describe('Those of deals closed in these months; null: closed without a reason.'),
  })
  .meta({ title: 'DealSummary' })

export type Summary = z.output<typeof Summary>
export type SummaryQuery = z.output<typeof SummaryQuery>
export type DealFields = z.output<typeof DealFields>
export type CloseDeal = z.output<typeof CloseDeal>
