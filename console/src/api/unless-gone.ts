import { ApiError } from '../../../sdk/src/errors.ts'

/** Does the work. Returns null if its object is gone, for example because the person removed it in another tab. */
export async function unlessGone<Result>(work: () => Promise<Result>): Promise<Result | null> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ApiError && error.code === 'object_not_found') return null
    throw error
  }
}
