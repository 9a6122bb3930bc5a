import { z } from 'zod'
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts'
import { findRecord } from '../find.ts'
import type { RecordType } from '../record-type.ts'
import { jsonColumnsOf, shownFields } from '../shown-fields.ts'
import { byId, pluralOf, recordAnswer } from './by-id.ts'

/** Returns the endpoint of a record type, such as `GET /contacts/{contact_id}`. */
export function readEndpoint(type: RecordType): Endpoint {
  const { entity, path, tag, idField, response } = type
  const { params, idOf, notFound } = byId(type)
  const plural = pluralOf(type)
  return endpoint({
    method: 'GET',
    path: `${path}/{${idField}}`,
    name: `get_${entity}`,
    sdk: `${plural}.get`,
    summary: `Read a ${entity}`,
    description: `Also returns archived ${plural}. If the id belongs to a merged ${entity}, the answer is its canonical record, with Content-Location.`,
    tag,
    permission: `${plural}:read`,
    params,
    query: z.object({
      fields: shownFields(type, 'text')
        .optional()
        .describe('The names of the fields that the answer has. By default all.'),
    }),
    shape: 'data',
    answerHeaders: ['ETag', 'Content-Location'],
    response,
    errors: notFound,
    handle: async ({ org, params, query: { fields } }) => {
      const found = await findRecord(org, type, idOf(params), fields && jsonColumnsOf(type, fields))
      return recordAnswer(type, found, idOf(params))
    },
  })
}
