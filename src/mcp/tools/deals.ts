import { z } from 'zod'
import { tool } from '../tool.ts'
import { recordId } from './input.ts'

const month = (description: string) => z.string().optional().describe(`${description}, as YYYY-MM.`)

export const dealTools = [
  tool({
    name: 'set_deal_outcome',
    title: 'Close or reopen a deal',
    description:
      'Closes a deal as won or lost, or reopens it. Reasons come from list_options about reasons. A deal with the same outcome stays unchanged.',
    kind: 'idempotent write',
    scopes: ['deals:write'],
    input: z.object({
      deal_id: recordId.describe('The deal.'),
      status: z.enum(['won', 'lost', 'open']),
      close_reason_id: z.string().optional().describe('Why the deal was won or lost.'),
    }),
    run: async ({ deal_id, status, close_reason_id }, { call, idempotencyKey }) => {
      const params = { deal_id }
      const { data } =
        status === 'open'
          ? await call('reopen_deal', { params, idempotencyKey })
          : await call('close_deal', { params, body: { status, close_reason_id }, idempotencyKey })
      return { deal: data }
    },
  }),
  tool({
    name: 'summarize_deals',
    title: 'Summarize deals',
    description:
      'Sums of open deals by stage, and of won and lost deals by month and close reason, in each currency. To see single deals, use list_records.',
    kind: 'read',
    scopes: ['deals:read'],
    input: z.object({ from: month('The first month'), to: month('The last month') }),
    run: async (query, { call }) => (await call('summarize_deals', { query })).data,
  }),
]
