import { expect } from 'vitest'
import type { TestClient } from './app.ts'

/** Creates an object by a POST, and returns the id that `idOf` finds in the answer. */
export async function create(
  org: TestClient,
  path: string,
  body: object,
  // biome-ignore lint/suspicious/noExplicitAny: answers differ by kind
  idOf: (body: any) => string,
): Promise<string> {
  const answer = await org.post(path, body)
  expect(answer.status, answer.text).toBeLessThan(300)
  return idOf(answer.body)
}
