import { limitPeople } from '../auth/limit-people.ts'
import { FairLimiter } from '../platform/db/fair-limiter.ts'
import type { SystemScope } from '../platform/db/system.ts'
import { currentAsker } from './network.ts'

// Strangers at any number of addresses can send these requests.
const ofNetwork = new FairLimiter({ max: 1, waitMs: 5_000, waitingMax: 16 })
/** A process has four connections that cross organizations. Two of them stay free to look up API keys and to find jobs. */
const ofAll = new FairLimiter({ max: 2, waitMs: 5_000, waitingMax: 256 })

export type StrangersScope = Pick<SystemScope, 'transact' | 'readRows'>

/**
 * Returns the scope for requests of strangers. Each method throws the result of `busy` if too many of them wait. For a person
 * who is signed in, the limits of the console's API apply instead.
 */
export function forStrangers(scope: SystemScope, busy: () => Error): StrangersScope {
  async function limited<Result>(work: () => Promise<Result>): Promise<Result> {
    const { name, isMember } = currentAsker()
    if (isMember) return limitPeople(work)
    let isBegun = false
    const begin = () => {
      isBegun = true
      return work()
    }
    try {
      return await ofNetwork.run(name, () => ofAll.run('all', begin))
    } catch (error) {
      throw isBegun ? error : busy()
    }
  }
  return {
    transact: (work) => limited(() => scope.transact(work)),
    readRows: (statement) => limited(() => scope.readRows(statement)),
  }
}
