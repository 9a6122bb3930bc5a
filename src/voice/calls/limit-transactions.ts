import { FairLimiter } from '../../platform/db/fair-limiter.ts'

// The transactions of an organization's calls wait for each other in PostgreSQL: new calls for the lock of `insertCall`, and
// outcomes for the row that counts usage. Without these limits, the waiting transactions would use 12 connections.
const options = { max: 2, waitMs: 10_000 }
const newCalls = new FairLimiter(options)
const outcomes = new FairLimiter(options)

/**
 * Stores a new call when fewer than two new calls of its payer are being stored in this process.
 * @param owner Caller.payerId
 * @throws OrgBusy if it waits too long
 */
export const limitNewCalls = <Result>(owner: string, store: () => Promise<Result>): Promise<Result> =>
  newCalls.run(owner, store)

/** Stores the outcome of an attempt to dial, like `limitNewCalls`. New calls do not delay outcomes. */
export const limitOutcomes = <Result>(owner: string, store: () => Promise<Result>): Promise<Result> =>
  outcomes.run(owner, store)
