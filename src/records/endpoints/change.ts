import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts'
import { changeForRequest } from '../change.ts'
import type { RecordType } from '../record-type.ts'
import { byId, pluralOf, recordAnswer } from './by-id.ts'

/** Returns the endpoint of a record type, such as `PATCH /contacts/{contact_id}`. */
export function changeEndpoint(type: RecordType): Endpoint {
  const { entity, path, tag, idField, changes, response, changeExample, misplaced } = type
  const { params, headers, idOf, notFound } = byId(type)
  return endpoint({
    method: 'PATCH',
    path: `${path}/{${idField}}`,
    name: `update_${entity}`,
    sdk: `${pluralOf(type)}.update`,
    summary: `Change a ${entity}`,
    description: 'Changes only the fields that you send. null clears a field.',
    tag,
    permission: `${pluralOf(type)}:write`,
    params,
    headers,
    body: changes,
    misplaced: { version: 'the version in the header If-Match', ...misplaced },
    shape: 'data',
    answerHeaders: ['ETag', 'Content-Location'],
    response,
    errors: { ...notFound, 409: `If-Match does not name the current version, or the ${entity} is archived` },
    example: changeExample,
    handle: async ({ org, params, headers, body }) => {
      const change = { recordId: idOf(params), sent: body, version: headers['if-match'] }
      return recordAnswer(type, await changeForRequest(org, type, change), change.recordId)
    },
  })
}
