import type { AnyRequest, Endpoint } from './endpoint.ts'

/** Answers with what the endpoint stages of the request, if it does, and drops whatever of that took no effect. */
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
