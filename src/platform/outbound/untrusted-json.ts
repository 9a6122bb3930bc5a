import { parsingJsonBody } from '../http/json-pieces.ts'
import { inSlices } from '../slices.ts'
import { parseJsonOrUndefined } from './answers.ts'

/** A shorter answer takes less than a slice of thread time. */
const sliceBytes = 16 * 1024

/**
 * Parses the answer of a server that anyone can run, in slices of thread time of the owner; undefined if it is not JSON,
 * or has more than 100,000 objects and lists.
 * @param owner Caller.payerId, or the id of the organization
 */
export async function parseUntrustedJson(owner: string, body: Buffer): Promise<unknown> {
  if (body.length <= sliceBytes) return parseJsonOrUndefined(body)
  return inSlices(owner, parsingJsonBody(body)).catch(() => undefined)
}
