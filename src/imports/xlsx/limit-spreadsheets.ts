import { FairLimiter } from '../../platform/db/fair-limiter.ts'

/** A small file can unpack to a million texts, which need 100 MB of memory. */
const ofPayer = new FairLimiter({ max: 1, waitMs: 10_000, waitingMax: 32 })
/** All organizations share the memory of the process. */
const ofAll = new FairLimiter({ max: 2, waitMs: 10_000, waitingMax: 32 })

/**
 * Unpacks a spreadsheet of a request when no other one of its payer is unpacked, and fewer than two in the process.
 * @param payerId `payerId` of the caller: an agency would unpack one for each client otherwise
 * @throws OrgBusy if too many spreadsheets wait, or one waits too long
 */
export const limitSpreadsheets = <Result>(payerId: string, work: () => Promise<Result>): Promise<Result> =>
  ofPayer.run(payerId, () => ofAll.run('all', work))
