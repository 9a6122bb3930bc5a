import { z } from 'zod'
import { tool } from '../tool.ts'
import { id, recordId } from './input.ts'

const selection = z.strictObject({
  kind: z.enum(['leads', 'contacts']).describe('What the people become in the CRM.'),
  connection_id: id('The id of a connection, from list_options with about `connections`.'),
  contact_ids: z
    .array(recordId)
    .min(1)
    .max(500)
    .optional()
    .describe('The contacts to push. Send this or `filter`.'),
  filter: z
    .strictObject({
      q: z.string().optional(),
      tag: z.string().optional(),
      company_id: recordId.optional(),
      lifecycle_stage: z.string().optional(),
      updated_since: z.int().optional(),
    })
    .optional()
    .describe('All contacts that match.'),
})

type Previewed = { count: number; would_create: number; would_update: number }

export const crmTools = [
  tool({
    name: 'preview_crm_push',
    title: 'Preview a push to a CRM',
    description:
      'Counts the contacts that a push would create, update or skip in a connected CRM, with a sample. Sends nothing.',
    kind: 'read',
    scopes: ['crm:read'],
    input: selection,
    run: async ({ kind, ...body }, { call }) => (await call(`preview_crm_${kind}`, { body })).data,
  }),
  tool({
    name: 'push_to_crm',
    title: 'Push people to a CRM',
    description:
      'Creates or updates people in a connected CRM, as leads or contacts. Call preview_crm_push first. A person must confirm the push. Follow the job with get_job.',
    kind: 'destructive write',
    isOpenWorld: true,
    scopes: ['crm:write'],
    input: selection,
    confirm: async ({ kind, ...body }, { call, caller }) => {
      const { connection_id } = body
      const { data: crm } = await call<{ name: string }>('get_crm_connection', { params: { connection_id } })
      const { data } = await call<Previewed>(`preview_crm_${kind}`, { body })
      return {
        question: `Push ${data.count} ${data.count === 1 ? 'person' : 'people'} to the CRM "${crm.name}" as ${kind}: ${data.would_create} new, ${data.would_update} updated?`,
        facts: { kind, crm: crm.name, ...body, ...data },
        isOutside: caller.mode === 'live',
      }
    },
    run: async ({ kind, ...body }, { call, idempotencyKey }) =>
      (
        await call(`push_crm_${kind}`, {
          body: { ...body, large_population_confirmed: true },
          idempotencyKey,
        })
      ).data,
  }),
]
