import type { OutsideProvider, Provider as ProviderName } from '../credentials.ts'
import { outsideDeps, outsideProvider } from './outside.ts'
import type { Provider, ProviderAccess } from './provider.ts'
import { simulator } from './simulator.ts'

const outside =
  (name: OutsideProvider) =>
  ({ context, credentials }: ProviderAccess): Provider =>
    outsideProvider(name, credentials, outsideDeps(context))

/** How each provider is made. */
export const providerMakers: Record<ProviderName, (access: ProviderAccess) => Provider> = {
  simulator,
  livekit: outside('livekit'),
  vapi: outside('vapi'),
  twilio: outside('twilio'),
}
