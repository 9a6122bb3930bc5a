import { FairLimiter } from './fair-limiter.ts'
import { takeTurn } from './turns.ts'

const limiter = new FairLimiter({ max: 2, waitMs: 10_000 })

/**
 * Runs `work`, which may keep a core of PostgreSQL busy, such as a list that counts or sorts many rows. Two such reads run at once
 * for one payer in one process; others wait up to 10 s. While others are served, each read also takes the turn of its organization.
 * @param payerId Caller.payerId
 * @throws OrgBusy if the wait takes too long
 */
export const limitLongReads = <Result>(payerId: string, work: () => Promise<Result>): Promise<Result> =>
  limiter.run(payerId, () => takeTurn(payerId, work))
