import type { Caller } from '../../platform/caller.ts'
import { Counts } from '../../platform/counts.ts'
import { tooMany } from '../../platform/domain-error.ts'

const runningMax = 3
const running = new Counts()

/**
 * Counts a test send, which waits up to 15 s for an answer: at most 3 of an organization in one process. An agency
 * and the keys that it creates in its clients count as one.
 * @returns a function that ends the test send
 * @throws DomainError too_many
 */
export function reserveTestSend({ orgId, payerId }: Caller): () => void {
  const names = [...new Set([orgId, payerId])]
  if (names.some((name) => running.of(name) >= runningMax))
    throw tooMany(
      'test_limit_reached',
      `The organization already sends ${runningMax} test events; wait until one of them has its answer, after at most 15 s`,
      { retryAfterSeconds: 1 },
    )
  for (const name of names) running.add(name, 1)
  return () => {
    for (const name of names) running.add(name, -1)
  }
}
