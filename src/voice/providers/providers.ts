import type { OutsideProviderName, ProviderName } from '../credentials.ts'
import { outsideProvider, providerDeps } from './outside.ts'
import type { Provider, ProviderAccess } from './provider.ts'
import { Simulator } from './simulator.ts'

const makeOutside =
  (name: OutsideProviderName) =>
  ({ org, context, credentials }: ProviderAccess): Provider =>
    outsideProvider(name, credentials, providerDeps(context, org.orgId))

/** Makes the adapter of each provider. */
export const providerMakers: Record<ProviderName, (access: ProviderAccess) => Provider> = {
  simulator: (access) => new Simulator(access),
  livekit: makeOutside('livekit'),
  vapi: makeOutside('vapi'),
  twilio: makeOutside('twilio'),
}
