import { ApiError } from '../../../sdk/src/errors.ts'

/** The longest window of the rate limit. */
const windowSeconds = 60

/** If the rate limit refused a request: the seconds to wait, from 1 to 60. Otherwise null. */
export function limitSeconds(error: unknown): number | null {
  if (!(error instanceof ApiError) || error.status !== 429 || error.code !== 'rate_limit_exceeded')
    return null
  return Math.min(Math.max(error.retryAfter ?? 1, 1), windowSeconds)
}
