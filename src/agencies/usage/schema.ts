import { z } from 'zod'
import { parsedText, refuse, timestamp } from '../../platform/http/fields.ts'
import { filterText, listQuery } from '../../platform/http/list.ts'
import * as shown from '../../platform/http/shown.ts'
import type { SeriesName } from '../../usage/schema.ts'

const month = parsedText(
  (value) =>
    /^(19[7-9]\d|2\d\d\d)-(0[1-9]|1[0-2])$/.test(value)
      ? value
      : refuse('a month must be written YYYY-MM, such as 2026-01'),
  { pattern: '^\\d{4}-\\d{2}$', examples: ['2026-01'] },
)

const period = {
  month: month.optional().describe('A calendar month in UTC, as YYYY-MM. Use it instead of `from` and `to`.'),
  from: timestamp().optional().describe('Unix seconds. By default 30 days before `to`.'),
  to: timestamp()
    .optional()
    .describe('Unix seconds. The end, which is not included. By default now. At most 92 days after `from`.'),
}

export const UsagePeriodQuery = z.object(period)
const q = filterText(200).describe(
  'Finds the client with this id, and clients whose name contains this text. Capitals and accents do not count.',
)
export const ClientUsageQuery = z.object({ ...period, q, ...listQuery })

const numbers = {
  requests: shown.count('Answered requests, including those with an error.', 1204),
  rate_limited: shown.count('Requests with the answer 429.'),
  calls: shown.count('Placed calls.', 12),
  call_minutes: shown.count('Minutes of calls. Each call is rounded up to full minutes.', 31),
  events: shown.count('Events of the audit log.', 310),
  webhooks_delivered: shown.count('Requests to webhook endpoints that were accepted.', 290),
  webhooks_failed: shown.count('Requests to webhook endpoints that failed.'),
} satisfies Record<SeriesName, z.ZodType>

export const ClientUsage = z
  .object({
    org_id: shown.id('The organization that is the client.'),
    name: shown.text('The name of the client.', 'Northwind'),
    ...numbers,
  })
  .meta({ title: 'AgencyClientUsage' })

export const UsageTotals = z
  .object({
    from: shown.time('The beginning of the first hour.'),
    to: shown.time('The end of the last hour, which is not included.'),
    clients: shown.count('The number of clients.', 20),
    ...numbers,
  })
  .meta({ title: 'AgencyUsageTotals' })

export type UsagePeriodQuery = z.output<typeof UsagePeriodQuery>
export type ClientUsageQuery = z.output<typeof ClientUsageQuery>
export type ClientUsage = z.output<typeof ClientUsage>
export type UsageTotals = z.output<typeof UsageTotals>
