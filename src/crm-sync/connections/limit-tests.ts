import { FairLimiter } from '../../platform/db/fair-limiter.ts'

const limiter = new FairLimiter({ max: 1, waitMs: 10_000, waitingMax: 32 })

/**
 * Tests a connection when no other test of its owner runs in this process. Each answer of a CRM can have 20 MiB,
 * which stay in memory during the test.
 * @param owner Caller.payerId
 * @throws OrgBusy if too many tests wait, or one waits too long
 */
export const limitTests = <Result>(owner: string, test: () => Promise<Result>): Promise<Result> =>
  limiter.run(owner, test)
