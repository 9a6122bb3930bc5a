import { z } from 'zod'
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts'
import { boolean, timestamp } from '../../platform/http/fields.ts'
import { filterText, listQuery } from '../../platform/http/list.ts'
import { listRecords, type RecordQuery } from '../find.ts'
import type { RecordType } from '../record-type.ts'
import { inSearchTurn } from '../search.ts'
import { pluralOf } from './by-id.ts'

/** `GET /contacts` */
export function listEndpoint(type: RecordType): Endpoint {
  const plural = pluralOf(type)
  return endpoint({
    method: 'GET',
    path: type.path,
    name: `list_${plural}`,
    summary: `List ${plural}`,
    description: 'Newest first. For the next page, send `pagination.next_cursor` as `cursor`.',
    tag: type.tag,
    permission: `${plural}:read`,
    query: z.object(queryOf(type)),
    shape: 'page',
    response: z.array(type.response),
    handle: ({ org, caller, context, query }) => {
      const read = () => listRecords(org, context.cursors, type, query as RecordQuery)
      return (query as RecordQuery).q === undefined ? read() : inSearchTurn(caller.payerOrgId, read)
    },
  })
}

function queryOf({ keyFilters, columnFilters }: RecordType): Record<string, z.ZodType> {
  const byKey = Object.entries(keyFilters).map(([name, { schema, description }]) => [
    name,
    schema.describe(description),
  ])
  const byColumn = Object.entries(columnFilters).map(([name, { schema }]) => [name, schema])
  return {
    ...Object.fromEntries([...byKey, ...byColumn]),
    q: filterText(200).describe('Words with which a name or an address starts, in any order.'),
    updated_since: timestamp()
      .optional()
      .describe('Unix seconds: only records that changed at or after this time.'),
    archived: boolean().default(false).describe('true lists archived records instead of active ones.'),
    ...listQuery,
  }
}
