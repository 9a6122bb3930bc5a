import type { AnyRequest, Endpoint } from './endpoint.ts'

/**
 * Calls `answer` with the input that the endpoint staged, if any. Then deletes staged input that did not take effect.
 */
export async function withStaged<Result>(
  { staging }: Endpoint,
  request: AnyRequest,
  answer: (staged: unknown) => Promise<Result>,
): Promise<Result> {
  if (!staging) return answer(undefined)
  const staged = await staging.take(request)
  try {
    return await answer(staged)
  } finally {
    await staging.drop(request.org, staged).catch(() => {})
  }
}
