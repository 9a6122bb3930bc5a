import { ApiError, type CrosswalkError } from '../../sdk/src/main.ts'
import { visible, withoutSecrets } from './output/visible.ts'

/** Tells that a request is sent again. */
export function retryText(error: CrosswalkError, waitMs: number): string {
  const problem =
    error instanceof ApiError
      ? `The server answered ${[error.status, error.code].filter(Boolean).join(' ')}`
      : error.message
  return `${visible(withoutSecrets(problem))}: trying again in ${(waitMs / 1000).toFixed(1)} s`
}
