import { AsyncLocalStorage } from 'node:async_hooks'

// The library does not pass the request to the functions that read documents and items.
const networks = new AsyncLocalStorage<string>()

/** Runs `work` for a request from this network: what it reads counts for the network. */
export const forNetwork = <Result>(network: string, work: () => Result): Result => networks.run(network, work)

/** The network of the request that runs now. */
export const currentNetwork = (): string => networks.getStore() ?? 'unknown'
