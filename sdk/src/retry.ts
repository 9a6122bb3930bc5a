/** The facts that decide whether a request may be retried. */
export type AttemptedRequest = {
  method: string
  /** The request has the header If-Match. */
  isConditional: boolean
  /** Whether the body can be sent again. */
  isRepeatable: boolean
}

/**
 * `status` is null if there was no answer; `code` is then the error code of the operating system. With a status,
 * `code` is null if Crosswalk did not send the answer.
 */
export type Failure = { status: number | null; code: string | null; retryAfter: number | null }

/** Error codes of connections that never opened, so the server got nothing. Not every runtime gives a code. */
const unsentCodes: unknown[] = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']

/** Returns whether the request may have taken effect. */
export function isUncertain({ status, code }: Failure): boolean {
  if (status === null) return !unsentCodes.includes(code)
  return status === 500 || code === null || code === 'outcome_unknown'
}

const goneCodes: unknown[] = ['object_not_found', 'reference_not_found']

/**
 * Returns whether Crosswalk says that it has no such object. A 404 of a proxy, or a 404 for an unknown path, says
 * nothing about the object.
 */
export const isGone = ({ status, code }: Failure): boolean => status === 404 && goneCodes.includes(code)

/** Returns whether a second try cannot take effect twice. */
export function mayRetry(request: AttemptedRequest, failure: Failure): boolean {
  if (!request.isRepeatable || !isTemporary(failure)) return false
  // With If-Match, a lost try may have changed the version: the retry would get a 409 although the write succeeded.
  const isReplayed = request.method === 'GET' || request.method === 'POST'
  return isReplayed || !request.isConditional || !isUncertain(failure)
}

/** Returns whether the same request may succeed later. */
export function isTemporary({ status, code, retryAfter }: Failure): boolean {
  if (status === null || status === 408 || status === 429 || status === 500 || status === 503) return true
  if (status === 409) return retryAfter !== null
  // A 502 with an error code is from Crosswalk: another service failed. Without a code, a proxy lost the answer.
  return (status === 502 || status === 504) && code === null
}

/** The longest Retry-After in seconds. A server with a wrong clock could stop the client otherwise. */
const retryAfterMax = 3_600

/**
 * Milliseconds before the next try, at most an hour.
 * @param retries the number of retries so far
 * @param random a number from 0 to 1
 */
export function waitBefore(retries: number, { retryAfter }: Failure, random = Math.random()): number {
  if (retryAfter !== null) return Math.min(retryAfter, retryAfterMax) * 1000 + random * 250
  return random * Math.min(8000, 500 * 2 ** retries)
}
