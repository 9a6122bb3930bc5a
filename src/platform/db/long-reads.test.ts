import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { recentRequests } from '../recent-requests.ts'
import { limitLongReads } from './long-reads.ts'

/** Returns how many of eight long reads of an organization run at once, at most. */
async function mostAtOnce(payerId: string): Promise<number> {
  let running = 0
  let most = 0
  const read = async () => {
    most = Math.max(most, ++running)
    await new Promise(setImmediate)
    running--
  }
  await Promise.all(Array.from({ length: 8 }, () => limitLongReads(payerId, read)))
  return most
}

test('two long reads of an organization that is served alone run at once, and one while others are served', async () => {
  const [ours, theirs] = [randomUUID(), randomUUID()]
  // The process remembers the latest five payers, and earlier tests sent requests.
  for (let number = 1; number <= 5; number++)
    recentRequests.note({ payerId: `${ours}:${number}`, orgId: ours })
  expect(await mostAtOnce(ours)).toBe(2)
  recentRequests.note({ payerId: theirs, orgId: theirs })
  expect(await mostAtOnce(ours)).toBe(1)
})
