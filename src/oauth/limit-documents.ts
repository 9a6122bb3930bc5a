import { FairLimiter } from '../platform/db/fair-limiter.ts'
import { currentAsker } from './network.ts'

// A stranger names the document, and its server can delay each answer for 5 s.
const ofNetwork = new FairLimiter({ max: 2, waitMs: 5_000, waitingMax: 8 })
/** Each read keeps a connection to another server. */
const ofAll = new FairLimiter({ max: 32, waitMs: 5_000, waitingMax: 256 })

/**
 * Reads a document when fewer than two are read for the same network, and fewer than 32 in the process.
 * @throws OrgBusy if too many documents wait, or one waits too long
 */
export const limitDocuments = <Result>(read: () => Promise<Result>): Promise<Result> =>
  ofNetwork.run(currentAsker().name, () => ofAll.run('all', read))
