import type { Context } from '../../platform/context.ts'
import type { Org } from '../../platform/db/org.ts'
import type { InstallOrder } from '../order.ts'
import type { PushError } from '../schema.ts'

/**
 * What became of an order. `later`: the signature may or may not be installed, and a retry may help. `installed`: it was
 * read back and compared, if the provider can do that. Messages are for people, and hold no secret.
 */
export type Outcome =
  | { outcome: 'installed' }
  | { outcome: 'manual_pending' }
  | ({ outcome: 'failed' } & PushError)
  | ({ outcome: 'later'; afterSeconds?: number } & PushError)

/** A way to install signatures. Installing one order twice has the same effect as installing it once. */
export type Provider = {
  install(order: InstallOrder, signal: AbortSignal): Promise<Outcome>
}

/** What providers need to work for the organization and mode of a handle. */
export type ProviderDeps = { context: Context; org: Org }

/** How each provider is opened; what it reads then is valid for one run of the job. */
export type OpenProvider = (deps: ProviderDeps) => Promise<Provider>
