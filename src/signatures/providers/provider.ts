import type { Context } from '../../platform/context.ts'
import type { Org } from '../../platform/db/org.ts'
import type { InstallOrder } from '../order.ts'
import type { PushError } from '../schema.ts'

/**
 * The outcome of an order. `later`: it is unknown whether the signature is installed, and a retry may help.
 * `installed`: the provider has the signature. A provider that can be asked has confirmed it. Messages are for people,
 * and contain no secret.
 */
export type PushOutcome =
  | { outcome: 'installed' }
  | { outcome: 'manual_pending' }
  | ({ outcome: 'failed' } & PushError)
  | ({ outcome: 'later'; afterSeconds?: number } & PushError)

/** A way to install signatures. To install an order twice has the same effect as once. */
export type Provider = {
  install(order: InstallOrder, signal: AbortSignal): Promise<PushOutcome>
}

/** The dependencies of a provider. It works for the organization and mode of `org`. */
export type SignatureProviderDeps = { context: Context; org: Org }

/** Opens a provider for one run of the job, and reads its settings only once. */
export type OpenProvider = (deps: SignatureProviderDeps) => Promise<Provider>
