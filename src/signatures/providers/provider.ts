import type { Context } from '../../platform/context.ts'
import type { Org } from '../../platform/db/org.ts'
import type { InstallOrder } from '../order.ts'
import type { PushError } from '../schema.ts'

/**
 * The outcome of an order. `later`: it is unknown whether the signature is installed, and a retry may help.
 * `installed`: the signature was read back and compared, if the provider can do that. Messages are for people, and
 * contain no secret.
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

/** The dependencies of a provider: it works for the organization and mode of a handle. */
export type ProviderDeps = { context: Context; org: Org }

/** Reads settings once, so use the opened provider for one run of the job only. */
export type OpenProvider = (deps: ProviderDeps) => Promise<Provider>
