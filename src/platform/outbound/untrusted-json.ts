import { FairLimiter } from '../db/fair-limiter.ts'
import { parsingJsonBody } from '../http/json-pieces.ts'
import { inSlices, runUnsliced } from '../slices.ts'

/** A text of this length takes less than a slice of thread time. */
const shortBytes = 16 * 1024

/**
 * For each owner, one long answer is parsed at a time. The first slice of work may begin in any turn of the event loop,
 * so 50 answers at once would block the thread.
 */
const longAnswers = new FairLimiter({ max: 1, waitMs: 60_000 })

export type UntrustedLimits = {
  /** The maximum number of objects and lists; 100,000 by default. */
  containersMax?: number
}

/**
 * Parses what another server sent, in slices of thread time of the owner. All answers are parsed here or by
 * `parseShortJson`, also those of vendors: an organization chooses how large the settings of its CRM are. Returns undefined if
 * it is not JSON, has more than 100 levels, or has too many objects and lists. Text that cannot be stored, such as half of an
 * emoji, is kept.
 * @param owner Caller.payerId, or the id of the organization
 */
export async function parseUntrustedJson(
  owner: string,
  body: Buffer,
  limits: UntrustedLimits = {},
): Promise<unknown> {
  const parse = () => inSlices(owner, parsing(body, limits))
  const parsed = body.length <= shortBytes ? parse() : longAnswers.run(owner, parse)
  return parsed.catch(() => undefined)
}

/** Like `parseUntrustedJson`, but in one step, and undefined for a text of more than 16 KiB. */
export function parseShortJson(text: Buffer | string): unknown {
  const bytes = Buffer.from(text)
  if (bytes.length > shortBytes) return undefined
  try {
    return runUnsliced(parsing(bytes, {}))
  } catch {
    return undefined
  }
}

const parsing = (bytes: Buffer, limits: UntrustedLimits) =>
  parsingJsonBody(bytes, { ...limits, keepsUnstorable: true })
