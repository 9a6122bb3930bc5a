import { FairLimiter } from './fair-limiter.ts'
import { takeTurn } from './turns.ts'

const limiter = new FairLimiter({ max: 2, waitMs: 10_000 })

/**
 * Runs `work`, which may keep a core of PostgreSQL busy, such as a list that counts or sorts many rows. Two such reads
 * run at once for one payer in one process; further reads wait up to 10 s for one to end. While the process serves
 * other organizations, one read of the organization runs at a time, and waits up to 20 s for its turn.
 * @param payerId Caller.payerId
 * @throws OrgBusy if the wait takes too long
 */
export const limitLongReads = <Result>(payerId: string, work: () => Promise<Result>): Promise<Result> =>
  limiter.run(payerId, () => takeTurn(payerId, work))

const wholeLists = new FairLimiter({ max: 2, maxBesideOthers: 1, waitMs: 10_000 })

/**
 * Runs `work`, which reads a list without pages, such as all members. Most organizations have few items, so such a list does not
 * wait for long reads. But it may have thousands of items or megabytes, so one payer reads two such lists at once, and one
 * while the process serves other organizations.
 * @param payerId Caller.payerId
 * @throws OrgBusy if the wait takes too long
 */
export const limitWholeLists = <Result>(payerId: string, work: () => Promise<Result>): Promise<Result> =>
  wholeLists.run(payerId, work)
