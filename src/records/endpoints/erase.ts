import { z } from 'zod'
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts'
import * as shown from '../../platform/http/shown.ts'
import { eraseRecord } from '../erase.ts'
import { lockRecord } from '../lock.ts'
import type { ErasableType } from '../record-type.ts'
import { byId, pluralOf } from './by-id.ts'

/** Returns the endpoint of a record type, such as `POST /contacts/{contact_id}/erase`. */
export function eraseEndpoint(type: ErasableType): Endpoint {
  const { entity, title, path, tag, idField } = type
  const { params, headers, idOf, conflicts } = byId(type)
  return endpoint({
    method: 'POST',
    path: `${path}/{${idField}}/erase`,
    name: `erase_${entity}`,
    sdk: `${pluralOf(type)}.erase`,
    summary: `Erase a ${entity} permanently`,
    description: 'Permanently removes all data of the record. After that, its id gets 404.',
    tag,
    permission: `${pluralOf(type)}:manage`,
    // An erasure has about 25 statements. At the rate limit, it would use all CPU time of a small server.
    isLong: true,
    confirm: true,
    params,
    headers,
    shape: 'data',
    response: z
      .object({
        [idField]: shown.id(`The ${entity} that was erased.`),
        erased: z.literal(true).describe('The data was removed permanently.'),
      })
      .meta({ title: `Erased${title}` }),
    errors: conflicts,
    handle: ({ org, params, headers }) =>
      org.transact(async (tx) => {
        const version = headers['if-match']
        const stored = await lockRecord(tx, type, idOf(params), { version, forDelete: true })
        await eraseRecord(tx, type, stored)
        return { [idField]: stored.recordId, erased: true as const }
      }),
  })
}
