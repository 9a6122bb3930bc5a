import { BadEncoding } from '../../platform/http/json-body.ts'
import { parsingJsonBody } from '../../platform/http/json-pieces.ts'
import { ValidationError } from '../../platform/http/validation.ts'
import { parseJsonOrUndefined } from '../../platform/outbound/answers.ts'
import { inSlices } from '../../platform/slices.ts'
import type { CallbackRequest } from './provider.ts'

/** Values that a request must not have, in JSON that can be read. */
const unstorable: ReadonlySet<string> = new Set(['string_unicode', 'finite_number'])

/**
 * The JSON of a callback, parsed in slices, so that large ones do not block other requests; undefined if it is not JSON. A
 * transcript may be cut inside an emoji or hold a NUL: such text is not stored, and must not hide that a call ended.
 */
export async function callbackJson({
  orgId,
  body,
}: Pick<CallbackRequest, 'orgId' | 'body'>): Promise<unknown> {
  try {
    return await inSlices(orgId, parsingJsonBody(body))
  } catch (error) {
    if (error instanceof BadEncoding) return undefined
    if (!(error instanceof ValidationError)) throw error
    return error.details.every(({ type }) => unstorable.has(type)) ? parseJsonOrUndefined(body) : undefined
  }
}
