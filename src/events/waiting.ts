import { Counts } from '../platform/counts.ts'
import { tooMany } from '../platform/domain-error.ts'

const waitingOfPayerMax = 10
const waitingMax = 200

const waiting = new Counts()
let total = 0

/**
 * Counts a waiting request: one process allows at most 10 for each payer (Caller.payerId), and 200 in all. The payer
 * counts, because an agency with many clients could use up all places otherwise.
 * @returns a function that ends the wait
 * @throws DomainError too_many
 */
export function reserveWait(payerId: string): () => void {
  if (waiting.of(payerId) >= waitingOfPayerMax || total >= waitingMax)
    throw tooMany(
      'wait_limit_reached',
      'Too many requests wait for events: an organization can have 10. Send wait_seconds=0, or wait with fewer requests at once',
      { retryAfterSeconds: 1 },
    )
  waiting.add(payerId, 1)
  total += 1
  return () => {
    waiting.add(payerId, -1)
    total -= 1
  }
}
