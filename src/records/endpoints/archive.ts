import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts'
import { requireRestorable } from '../defined-fields/unique-values.ts'
import { reloadRecord } from '../find.ts'
import { lockRecord } from '../lock.ts'
import type { RecordType } from '../record-type.ts'
import { setArchived } from '../write.ts'
import { byId, pluralOf, recordAnswer } from './by-id.ts'

type About = Pick<Endpoint, 'method' | 'path' | 'name' | 'sdk' | 'summary' | 'description'>

/** Returns the endpoint of a record type, such as `DELETE /contacts/{contact_id}`. */
export function archiveEndpoint(type: RecordType): Endpoint {
  const { entity, path, idField } = type
  return archiving(type, true, {
    method: 'DELETE',
    path: `${path}/{${idField}}`,
    name: `archive_${entity}`,
    sdk: `${pluralOf(type)}.archive`,
    summary: `Archive a ${entity}`,
    description: 'Lists leave the record out. The record keeps all its data and can be restored.',
  })
}

/** Returns the endpoint of a record type, such as `POST /contacts/{contact_id}/restore`. */
export function restoreEndpoint(type: RecordType): Endpoint {
  const { entity, path, idField } = type
  return archiving(type, false, {
    method: 'POST',
    path: `${path}/{${idField}}/restore`,
    name: `restore_${entity}`,
    sdk: `${pluralOf(type)}.restore`,
    summary: `Restore an archived ${entity}`,
  })
}

function archiving(type: RecordType, archived: boolean, about: About): Endpoint {
  const { params, headers, idOf, conflicts } = byId(type)
  return endpoint({
    ...about,
    tag: type.tag,
    permission: `${pluralOf(type)}:write`,
    params,
    headers,
    shape: 'data',
    answerHeaders: ['ETag', 'Content-Location'],
    response: type.response,
    errors: conflicts,
    handle: ({ org, params, headers }) =>
      org.transact(async (tx) => {
        const stored = await lockRecord(tx, type, idOf(params), { version: headers['if-match'] })
        if (!archived && stored.status === 'archived') await requireRestorable(tx, type, stored)
        await setArchived(tx, type, [stored], archived)
        return recordAnswer(type, await reloadRecord(tx, type, stored.recordId), idOf(params))
      }),
  })
}
