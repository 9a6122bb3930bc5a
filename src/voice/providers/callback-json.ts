import { BadEncoding } from '../../platform/http/json-body.ts'
import { parsingJsonBody } from '../../platform/http/json-pieces.ts'
import { ValidationError } from '../../platform/http/validation.ts'
import { parseJsonOrUndefined } from '../../platform/outbound/answers.ts'
import { inSlices } from '../../platform/slices.ts'
import type { CallbackRequest } from './provider.ts'

/** Faults in JSON that is readable, but not allowed in requests. */
const unstorable: ReadonlySet<string> = new Set(['string_unicode', 'finite_number'])

/**
 * Parses a callback in slices, so that other requests can run; undefined if it is not JSON. A transcript can end
 * inside an emoji or contain a NUL: such text is not stored, but the report counts.
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
