import { AsyncLocalStorage } from 'node:async_hooks'

type Asker = {
  name: string
  isMember: boolean
  /**
   * Why documents of clients were not read, by address. Otherwise the library would read each document again to explain
   * its refusal.
   */
  unread: Map<string, Error>
}

// The library does not pass the request to the functions that read documents and items.
const askers = new AsyncLocalStorage<Asker>()

/** Runs `work` for a request from this network. The documents and items that `work` reads count against the network's limits. */
export const forNetwork = <Result>(network: string, work: () => Result): Result =>
  askers.run({ name: network, isMember: false, unread: new Map() }, work)

/** Runs `work` for a person who is signed in. The limits for strangers do not apply. */
export const forMember = <Result>(memberId: string, work: () => Result): Result =>
  askers.run({ name: memberId, isMember: true, unread: new Map() }, work)

/** The sender of the request that runs now: a network or a person. */
export const currentAsker = (): Asker =>
  askers.getStore() ?? { name: 'unknown', isMember: false, unread: new Map() }
