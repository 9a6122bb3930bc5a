import { z } from 'zod'
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts'
import { boolean, id, timestamp } from '../../platform/http/fields.ts'
import { filterText, listQueryUpTo } from '../../platform/http/list.ts'
import { filterInQuery, filterQuery } from '../filters/read-query.ts'
import { listWithLimits, type RecordQuery } from '../list-records.ts'
import type { RecordType } from '../record-type.ts'
import { shownFields } from '../shown-fields.ts'
import { defaultSort, sortSchema } from '../sort.ts'
import { pluralOf } from './by-id.ts'

const limitMax = 500

/**
 * The query members that select and sort records. `form`: how a query (`text`) or a JSON body (`list`) sends several
 * values.
 */
export const selectionShape = (type: RecordType, form: 'text' | 'list') => ({
  q: filterText(200).describe(
    'Finds records by words of their names, addresses or numbers. All given words must match, in any order. The beginning of a word is enough.',
  ),
  archived: boolean().default(false).describe('true lists archived records instead of active ones.'),
  segment_id: id()
    .optional()
    .describe('Only records of this segment. They must also match all other filters.'),
  sort: sortSchema(type)
    .optional()
    .describe(
      `A minus before the name gives descending order. Records without the field come last. \`custom.<key>\` sorts by a member of \`custom\`. By default the order of the segment, or \`${defaultSort}\`.`,
    ),
  fields: shownFields(type, form)
    .optional()
    .describe('The names of the fields that each record has in the answer. By default all.'),
})

/** `selectionShape` with the members that select a page. */
export const pageShape = (type: RecordType, form: 'text' | 'list') => ({
  ...selectionShape(type, form),
  ...listQueryUpTo(limitMax),
})

export const updatedSince = timestamp()
  .optional()
  .describe('Unix seconds: only records that changed at or after this time.')

/** Returns the endpoint of a record type, such as `GET /contacts`. */
export function listEndpoint(type: RecordType): Endpoint {
  const plural = pluralOf(type)
  const shape = {
    ...pageShape(type, 'text'),
    updated_since: updatedSince,
  }
  return endpoint({
    method: 'GET',
    path: type.path,
    name: `list_${plural}`,
    sdk: `${plural}.list`,
    summary: `List ${plural}`,
    description: `Newest first, unless you send \`sort\`. For the next page, send \`pagination.next_cursor\` as \`cursor\`.\n\nEach filter is \`field=value\` or \`field[op]=value\`, with \`ne\`, \`gt\`, \`gte\`, \`lt\`, \`lte\`, \`in\` (values with commas between them), \`starts_with\` or \`is_null\`; \`custom.<key>=value\` filters by a member of \`custom\`. A record must match all filters. ${expensive}`,
    tag: type.tag,
    permission: `${plural}:read`,
    query: filterQuery(shape, type.filters),
    misplacedQuery: filterInQuery,
    shape: 'page',
    response: z.array(type.response),
    errors: { 404: unknownSegment, 429: listLimitsDescription },
    handle: ({ org, caller, context, query }) =>
      listWithLimits(caller.payerId, org, context.cursors, type, query as RecordQuery),
  })
}

const expensive =
  'An organization can run at most two lists at once that read many records. A third one gets a 429 with the code `expensive_query`.'

export const unknownSegment = 'No segment of this organization has the id `segment_id`'

export const listLimitsDescription =
  'The rate limit is reached, or two lists that read many records run (`expensive_query`)'
