import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts'
import { createForRequest } from '../create.ts'
import { newInput, requireMayNameRecords } from '../named-references.ts'
import type { RecordType } from '../record-type.ts'
import { missingReference, pluralOf, recordAnswer } from './by-id.ts'

/** Returns the endpoint of a record type, such as `POST /contacts`. */
export function createEndpoint(type: RecordType): Endpoint {
  const { entity, path, idField, tag, response, example } = type
  return endpoint({
    method: 'POST',
    path,
    name: `create_${entity}`,
    sdk: `${pluralOf(type)}.create`,
    summary: `Create a ${entity}`,
    tag,
    permission: `${pluralOf(type)}:write`,
    body: newInput(type),
    takesMany: `${path}/batch`,
    ...(type.misplaced && { misplaced: type.misplaced }),
    status: 201,
    location: `${path}/{${idField}}`,
    shape: 'data',
    answerHeaders: ['ETag'],
    response,
    errors: missingReference,
    example,
    handle: async ({ org, caller, body }) => {
      requireMayNameRecords(caller, type, [body])
      return recordAnswer(type, await createForRequest(org, type, body))
    },
  })
}
