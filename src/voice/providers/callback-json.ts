import { BadEncoding } from '../../platform/http/json-body.ts'
import { parsingJsonBody } from '../../platform/http/json-pieces.ts'
import { ValidationError } from '../../platform/http/validation.ts'
import { inSlices } from '../../platform/slices.ts'
import type { CallbackRequest } from './provider.ts'

/** The JSON of a callback, parsed in slices, so that large ones do not block other requests; undefined if it is not JSON. */
export async function callbackJson({
  orgId,
  body,
}: Pick<CallbackRequest, 'orgId' | 'body'>): Promise<unknown> {
  try {
    return await inSlices(orgId, parsingJsonBody(body))
  } catch (error) {
    if (error instanceof ValidationError || error instanceof BadEncoding) return undefined
    throw error
  }
}
