import type { OutsideProvider, Provider as ProviderName } from '../credentials.ts'
import { outsideProvider, providerDeps } from './outside.ts'
import type { Provider, ProviderAccess } from './provider.ts'
import { Simulator } from './simulator.ts'

const outside =
  (name: OutsideProvider) =>
  ({ context, credentials }: ProviderAccess): Provider =>
    outsideProvider(name, credentials, providerDeps(context))

/** Makes the adapter of each provider. */
export const providerMakers: Record<ProviderName, (access: ProviderAccess) => Provider> = {
  simulator: (access) => new Simulator(access),
  livekit: outside('livekit'),
  vapi: outside('vapi'),
  twilio: outside('twilio'),
}
