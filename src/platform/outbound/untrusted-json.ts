import { parsingJsonBody } from '../http/json-pieces.ts'
import { inSlices } from '../slices.ts'
import { parseJsonOrUndefined } from './answers.ts'

/** A shorter text takes less than a slice of thread time. */
const sliceBytes = 16 * 1024

export type UntrustedLimits = {
  /** The maximum number of objects and lists; 100,000 by default. A text of at most 16 KiB has no maximum. */
  containersMax?: number
}

/**
 * Parses what a server sent that anyone can run, in slices of thread time of the owner. Returns undefined if it is not JSON,
 * or has too many objects and lists. Text that cannot be stored, such as half of an emoji, is kept.
 * @param owner Caller.payerId, or the id of the organization
 */
export async function parseUntrustedJson(
  owner: string,
  body: Buffer,
  limits: UntrustedLimits = {},
): Promise<unknown> {
  if (body.length <= sliceBytes) return parseJsonOrUndefined(body)
  return inSlices(owner, parsingJsonBody(body, { ...limits, keepsUnstorable: true })).catch(() => undefined)
}
