import { z } from 'zod'
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts'
import { id } from '../../platform/http/fields.ts'
import * as shown from '../../platform/http/shown.ts'
import { eraseVisitor } from './visitors.ts'

export const visitorErasureEndpoints: Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/visitors/{visitor_id}/erase',
    name: 'erase_visitor',
    sdk: 'visitors.erase',
    summary: 'Erase a visitor permanently',
    description:
      'Permanently removes all events of the visitor. For 30 days, the server refuses events of the visitor that are sent again, or that happened before the erasure.',
    tag: 'Tracking',
    permission: 'visitors:write',
    confirm: true,
    params: z.object({ visitor_id: id().describe('The `visitor_id` of an event.') }),
    isLong: true,
    shape: 'data',
    response: z
      .object({
        visitor_id: shown.id('The visitor that was erased.'),
        erased: z.literal(true).describe('The events were erased permanently.'),
      })
      .meta({ title: 'ErasedVisitor' }),
    errors: { 404: 'No event of the organization has this visitor' },
    handle: ({ org, params }) =>
      org.transact(async (tx) => {
        await eraseVisitor(tx, params.visitor_id)
        return { visitor_id: params.visitor_id, erased: true as const }
      }),
  }),
]
