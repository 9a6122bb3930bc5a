import { z } from 'zod'
import { Answer } from '../../platform/http/endpoint.ts'
import { id } from '../../platform/http/fields.ts'
import { ifMatch } from '../../platform/http/if-match.ts'
import type { Json } from '../../platform/json.ts'
import type { FoundRecord } from '../find.ts'
import type { RecordType } from '../record-type.ts'

/** The id in the path, If-Match, and their errors. */
export function byId({ entity, idField }: RecordType) {
  const notFound = { 404: `No ${entity} of this organization has this id` }
  return {
    params: z.object({ [idField]: id().describe(`The id of the ${entity}.`) }),
    headers: z.object({ 'if-match': ifMatch }),
    idOf: (params: Record<string, unknown>) => params[idField] as string,
    notFound,
    conflicts: { ...notFound, 409: 'If-Match does not name the current version' },
  }
}

/** Every record may name at least its owner. */
export const missingReference = {
  404: 'A reference names a record or a member that this organization does not have',
}

/** The plural in paths and permissions: `contacts`. */
export const pluralOf = ({ path }: RecordType): string => path.slice(1)

/**
 * The answer for a record, with its version as ETag. Content-Location names the canonical record if its id differs from
 * the requested one.
 */
export function recordAnswer(
  type: RecordType,
  found: FoundRecord,
  asked?: string,
  status?: number,
): Answer<Json> {
  const moved = asked !== undefined && asked !== found.recordId
  return new Answer(found.json, {
    ...(status ? { status } : {}),
    headers: {
      etag: `"${found.version}"`,
      ...(moved ? { 'content-location': `/api/v1${type.path}/${found.recordId}` } : {}),
    },
  })
}
