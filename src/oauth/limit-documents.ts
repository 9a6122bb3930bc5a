import { AsyncLocalStorage } from 'node:async_hooks'
import { FairLimiter } from '../platform/db/fair-limiter.ts'

// A stranger names the document, and its server can delay each answer for 5 s.
const ofNetwork = new FairLimiter({ max: 2, waitMs: 5_000, waitingMax: 8 })
/** Each read keeps a connection to another server. */
const ofAll = new FairLimiter({ max: 32, waitMs: 5_000, waitingMax: 256 })

// The library does not pass the request to the function that reads documents.
const networks = new AsyncLocalStorage<string>()

/** Runs `work` for a request from this network: documents that it reads count for the network. */
export const readingFor = <Result>(network: string, work: () => Result): Result => networks.run(network, work)

/**
 * Reads a document when fewer than two are read for the same network, and fewer than 32 in the process.
 * @throws OrgBusy if too many documents wait, or one waits too long
 */
export const limitDocuments = <Result>(read: () => Promise<Result>): Promise<Result> =>
  ofNetwork.run(networks.getStore() ?? 'unknown', () => ofAll.run('all', read))
