import { z } from 'zod'
import { list } from '../../platform/http/collections.ts'
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts'
import { errorCode } from '../../platform/http/failure.ts'
import { batchItem, readItems, unreadItem, writeBatch } from '../batch.ts'
import type { RecordType } from '../record-type.ts'
import { pluralOf } from './by-id.ts'
import { matchOnOf } from './upsert.ts'

const itemsMax = 500
const bytesMax = 10 * 1024 * 1024

/** `POST /contacts/batch` */
export function batchEndpoint(type: RecordType): Endpoint {
  const { path, tag, idField, example } = type
  const plural = pluralOf(type)
  const item = batchItem(type, matchOnOf(type).optional())
  return endpoint({
    method: 'POST',
    path: `${path}/batch`,
    name: `batch_${plural}`,
    summary: `Create or upsert up to ${itemsMax} ${plural}`,
    description:
      'Each item is a record, optionally with `match_on`. An invalid item is reported as failed and does not affect the others. One answer lists at most 1,000 problems. For an item beyond these, `detail` is a text with the number of its problems.',
    tag,
    permission: `${plural}:write`,
    body: z.object({ items: list(unreadItem, { min: 1, max: itemsMax }) }),
    bodyLimit: bytesMax,
    isLong: true,
    shape: 'data',
    response: z.array(
      z.object({
        index: z.int(),
        outcome: z.enum(['created', 'updated', 'failed']),
        [idField]: z.string().optional(),
        code: errorCode.optional(),
        detail: z.unknown().optional().describe('Why the item failed: a text, or details as in a 422.'),
      }),
    ),
    example: { items: [example] },
    staging: {
      take: ({ org, body }) => readItems(org.orgId, item, body.items),
      drop: async () => {},
    },
    handle: ({ org, staged }) =>
      org.transact(async (tx) => {
        const outcomes = await writeBatch(tx, type, staged)
        return outcomes.map(({ recordId, ...outcome }) => ({
          ...outcome,
          ...(recordId ? { [idField]: recordId } : {}),
        }))
      }),
  })
}
