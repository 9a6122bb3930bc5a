import { z } from 'zod'
import { tool } from '../tool.ts'
import { cursor, limit } from './input.ts'

type Checked = { to_number: string | null; from_number: string; mode: string }

export const callTools = [
  tool({
    name: 'place_call',
    title: 'Place a phone call',
    description:
      'An AI agent calls a number. Live calls are real and billed, and a person must confirm each. Crosswalk refuses calls to people who denied calls, and calls outside of calling hours. Numbers and personas come from list_options. Follow the call with get_job.',
    kind: 'destructive write',
    isOpenWorld: true,
    scopes: ['voice:write'],
    input: z.object({
      to_number: z.string().describe('The number to call, in E.164.'),
      from_number: z.string().optional().describe('A number from list_options with about `numbers`.'),
      persona_id: z.string().optional(),
      timezone: z.string().optional().describe('Time zone of the callee, such as Europe/Paris.'),
      instructions: z.string().max(20_000).optional().describe('What the agent should do in this call.'),
    }),
    confirm: async (body, { call, caller }) => {
      const { data } = await call<Checked>('place_call', { body: { ...body, dry_run: true } })
      const { to_number: to, from_number: from } = data
      return {
        question: `Call ${to ?? body.to_number} from ${from}?`,
        facts: { ...body, to_number: to ?? body.to_number, from_number: from, mode: data.mode },
        isOutside: caller.mode === 'live',
      }
    },
    run: async (body, { call, idempotencyKey }) => (await call('place_call', { body, idempotencyKey })).data,
  }),
  tool({
    name: 'list_calls',
    title: 'List phone calls',
    description: 'Lists calls, newest first, or reads one by call_id, with status, duration and error.',
    kind: 'read',
    scopes: ['voice:read'],
    input: z.object({
      call_id: z.string().optional(),
      to_number: z.string().optional(),
      status: z.string().optional(),
      created_since: z.int().optional().describe('Unix seconds.'),
      limit: limit(50, 20),
      cursor,
    }),
    run: async ({ call_id, ...query }, { call }) => {
      if (call_id !== undefined) return { calls: [(await call('get_call', { params: { call_id } })).data] }
      const { data, pagination } = await call('list_calls', { query })
      return { calls: data, total: pagination?.total, next_cursor: pagination?.next_cursor ?? null }
    },
  }),
]
