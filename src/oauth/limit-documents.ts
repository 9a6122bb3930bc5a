import { setTimeout as pause } from 'node:timers/promises'
import { FairLimiter } from '../platform/db/fair-limiter.ts'
import { currentAsker } from './network.ts'

// A stranger names the document, and its server can delay each answer for 5 s.
const ofNetwork = new FairLimiter({ max: 2, waitMs: 5_000, waitingMax: 8 })
/** Each read keeps a connection to another server. */
const ofAll = new FairLimiter({ max: 32, waitMs: 5_000, waitingMax: 256 })
/** Each read begins with a TLS handshake, which blocks the thread for milliseconds. So at most 20 begin in a second. */
const betweenMs = 50
let nextAt = 0

/**
 * Reads a document when fewer than two are read for the same network, and fewer than 32 in the process.
 * @throws OrgBusy if too many documents wait, or one waits too long
 */
export const limitDocuments = <Result>(read: () => Promise<Result>): Promise<Result> =>
  ofNetwork.run(currentAsker().name, () => ofAll.run('all', () => paced(read)))

async function paced<Result>(read: () => Promise<Result>): Promise<Result> {
  const now = performance.now()
  const beginsAt = Math.max(now, nextAt)
  nextAt = beginsAt + betweenMs
  if (beginsAt > now) await pause(beginsAt - now)
  return read()
}
