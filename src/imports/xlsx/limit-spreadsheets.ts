import { FairLimiter } from '../../platform/db/fair-limiter.ts'

/** A small file can unpack to a million texts, which need 100 MB of memory. */
const ofOrg = new FairLimiter({ max: 1, waitMs: 10_000, waitingMax: 32 })
/** All organizations share the memory of the process. */
const ofAll = new FairLimiter({ max: 2, waitMs: 10_000, waitingMax: 32 })

/**
 * Unpacks a spreadsheet of a request when no other spreadsheet of its organization is being unpacked, and fewer than
 * two in the process.
 * @param payerId `payerId` of the caller: an agency could otherwise unpack one spreadsheet for each client. The keys
 * and the members of an organization are two payers, but share one place here: otherwise they could use both places of
 * the process
 * @throws OrgBusy if too many spreadsheets wait, or one waits too long
 */
export function limitSpreadsheets<Result>(payerId: string, work: () => Promise<Result>): Promise<Result> {
  const [orgId = ''] = payerId.split(':')
  return ofOrg.run(orgId, () => ofAll.run('all', work))
}
