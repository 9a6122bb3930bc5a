import { AsyncLocalStorage } from 'node:async_hooks'
import { FairLimiter } from '../platform/db/fair-limiter.ts'
import type { Endpoint } from '../platform/http/endpoint.ts'

// A process has four connections that cross organizations. The others look up sessions and API keys, and find jobs.
const ofPayer = new FairLimiter({ max: 2, waitMs: 10_000 })
const ofAllStrangers = new FairLimiter({ max: 2, waitMs: 10_000 })

/** `id`: Caller.payerId. `isStranger`: nobody is signed in. Strangers can have any number of addresses. */
type Payer = { id: string; isStranger: boolean }

const payers = new AsyncLocalStorage<Payer>()

/** Returns the endpoint, whose work in the database `limitPeople` counts for the payer of the request. */
export const countedForPayer = (endpoint: Endpoint): Endpoint => ({
  ...endpoint,
  handle: (request) => {
    const { payerId: id, memberId } = request.caller
    return payers.run({ id, isStranger: memberId === null }, () => endpoint.handle(request))
  },
})

/**
 * Runs `work`, which uses a connection that crosses organizations, for a request of a person. Two pieces of work of a payer
 * run at once in one process, and two of all strangers together: otherwise the members of one organization, or strangers,
 * could use all of these connections.
 * @param payer by default the caller of the endpoint
 * @throws OrgBusy if the wait takes too long
 */
export function limitPeople<Result>(
  work: () => Promise<Result>,
  payer: Payer = payers.getStore() ?? { id: 'unknown', isStranger: true },
): Promise<Result> {
  const { id, isStranger } = payer
  return ofPayer.run(id, () => (isStranger ? ofAllStrangers.run('all', work) : work()))
}
