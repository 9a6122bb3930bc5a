import { z } from 'zod'
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts'
import { filterTree } from '../filters/read-json.ts'
import { listWithLimits, type RecordQuery } from '../list-records.ts'
import type { RecordType } from '../record-type.ts'
import { pluralOf } from './by-id.ts'
import { listLimitsDescription, pageShape, unknownSegment } from './list.ts'

/** Returns the endpoint of a record type, such as `POST /contacts/search`. */
export function searchEndpoint(type: RecordType): Endpoint {
  const plural = pluralOf(type)
  return endpoint({
    method: 'POST',
    path: `${type.path}/search`,
    name: `search_${plural}`,
    sdk: `${plural}.search`,
    summary: `Search ${plural} with a tree of conditions`,
    description: `Accepts the parameters of the list of ${plural} as a JSON body, with \`filter\` as a tree of \`and\`, \`or\` and \`not\`. The tree has at most 8 levels, 100 conditions (each \`and\`, \`or\` and \`not\` counts as one), and at most 200 values in all lists together. The request changes nothing, so an Idempotency-Key has no effect. It does the same as the method QUERY on \`${type.path}\` (RFC 10008).`,
    tag: type.tag,
    permission: `${plural}:read`,
    body: z
      .object({ filter: filterTree(type.filters).optional(), ...pageShape(type, 'list') })
      .meta({ title: `${type.title}Search` }),
    effect: 'none',
    alsoQuery: type.path,
    shape: 'page',
    response: z.array(type.response),
    errors: { 404: unknownSegment, 429: listLimitsDescription },
    example: {
      filter: {
        and: [
          { field: 'created_at', op: 'gte', value: 1_767_225_600 },
          { not: { field: 'tag', value: 'test' } },
        ],
      },
      sort: '-updated_at',
      limit: 100,
    },
    handle: ({ org, caller, context, body }) =>
      listWithLimits(caller.payerId, org, context.cursors, type, body as RecordQuery, 'body'),
  })
}
