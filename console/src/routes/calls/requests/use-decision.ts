import { ApiError } from '../../../../../sdk/src/errors.ts'
import { problemOf } from '../../../api/problem.ts'
import { type Submit, useSubmit } from '../../../parts/use-submit.ts'

const lateCodes: readonly unknown[] = [
  'call_back_request_decided',
  'call_back_request_expired',
  'object_not_found',
]

/**
 * Decides a request. If somebody else decided it, or it has expired, `onTooLate` gets the words for it.
 * @param places the members of the body that have a field
 */
export const useDecision = (
  work: () => Promise<void>,
  onTooLate: (text: string) => void,
  places: readonly string[] = [],
): Submit =>
  useSubmit(
    async () => {
      try {
        await work()
      } catch (error) {
        if (!(error instanceof ApiError && lateCodes.includes(error.code))) throw error
        onTooLate(problemOf(error).text)
      }
    },
    { places },
  )
