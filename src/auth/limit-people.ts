import { AsyncLocalStorage } from 'node:async_hooks'
import { FairLimiter } from '../platform/db/fair-limiter.ts'
import type { Endpoint } from '../platform/http/endpoint.ts'

/** A process has four connections that cross organizations. The others look up sessions and API keys, and find jobs. */
const limiter = new FairLimiter({ max: 2, waitMs: 10_000 })
const payers = new AsyncLocalStorage<string>()

/** Returns the endpoint, whose work in the database `limitPeople` counts for the payer of the request. */
export const countedForPayer = (endpoint: Endpoint): Endpoint => ({
  ...endpoint,
  handle: (request) => payers.run(request.caller.payerId, () => endpoint.handle(request)),
})

/**
 * Runs `work`, which uses a connection that crosses organizations, for a request of a person. Two pieces of work of a payer
 * run at once in one process: otherwise the members of one organization could use all of these connections.
 * @param payerId by default that of the endpoint's caller
 * @throws OrgBusy if the wait takes too long
 */
export const limitPeople = <Result>(
  work: () => Promise<Result>,
  payerId: string = payers.getStore() ?? 'unknown',
): Promise<Result> => limiter.run(payerId, work)
