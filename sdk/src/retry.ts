/** The properties of a request that decide whether it may be retried. */
export type Attempted = {
  method: string
  /** The request has If-Match. */
  isConditional: boolean
  /** True if the body can be sent again. */
  isRepeatable: boolean
}

/** How a try failed. `status` is null if no answer came, and `code` if the answer is not from Crosswalk. */
export type Failure = { status: number | null; code: string | null; retryAfter: number | null }

/** True if the request may have taken effect despite this failure. */
export function isUncertain({ status, code }: Failure): boolean {
  return status === null || status === 500 || code === null || code === 'outcome_unknown'
}

/** True if the request may be sent again after this failure: it cannot take effect twice. */
export function mayRetry(request: Attempted, failure: Failure): boolean {
  if (!request.isRepeatable || !isPassing(failure)) return false
  // If the lost try changed the object, its version has changed too. The retry would then get a 409, although the write
  // succeeded.
  const isReplayed = request.method === 'GET' || request.method === 'POST'
  return isReplayed || !request.isConditional || !isUncertain(failure)
}

function isPassing({ status, code, retryAfter }: Failure): boolean {
  if (status === null || status === 408 || status === 429 || status === 500 || status === 503) return true
  if (status === 409) return retryAfter !== null
  // A 502 with an error code comes from Crosswalk: another service failed. A 502 without a code comes from a proxy that
  // lost the answer.
  return (status === 502 || status === 504) && code === null
}

/**
 * Milliseconds to wait before the next try.
 * @param retries how many retries there were
 * @param random a number from 0 to 1
 */
export function waitBefore(retries: number, { retryAfter }: Failure, random = Math.random()): number {
  if (retryAfter !== null) return retryAfter * 1000 + random * 250
  return random * Math.min(8000, 500 * 2 ** retries)
}
