import { FairLimiter } from '../../platform/db/fair-limiter.ts'

/** A small file can unpack to a million texts, which need 100 MB of memory. */
const ofOrg = new FairLimiter({ max: 1, waitMs: 10_000, waitingMax: 32 })
/** All organizations share the memory of the process. */
const ofAll = new FairLimiter({ max: 2, waitMs: 10_000, waitingMax: 32 })

/**
 * Unpacks a spreadsheet of a request when no other one of its organization is unpacked, and fewer than two in the process.
 * @param payerId `payerId` of the caller: an agency would unpack one for each client otherwise. Keys and members of an
 * organization are two payers, but have one turn: otherwise they would leave none to others
 * @throws OrgBusy if too many spreadsheets wait, or one waits too long
 */
export function limitSpreadsheets<Result>(payerId: string, work: () => Promise<Result>): Promise<Result> {
  const [orgId = ''] = payerId.split(':')
  return ofOrg.run(orgId, () => ofAll.run('all', work))
}
