import type { Context } from '../../platform/context.ts'
import type { Org } from '../../platform/db/org.ts'
import type { Credentials } from '../../platform/secrets/credentials.ts'
import type { OutsideProvider, Provider as ProviderName } from '../credentials.ts'
import { outsideOf, outsideProvider } from './outside.ts'
import type { Provider } from './provider.ts'
import { simulator } from './simulator.ts'

/** What a provider is made of: whose calls it places, and with what. */
export type ProviderAccess = { org: Org; context: Context; credentials: Credentials }

const outside =
  (name: OutsideProvider) =>
  ({ context, credentials }: ProviderAccess): Provider =>
    outsideProvider(name, credentials, outsideOf(context))

/** How each provider is made. */
export const providerMakers: Record<ProviderName, (access: ProviderAccess) => Provider> = {
  simulator,
  livekit: outside('livekit'),
  vapi: outside('vapi'),
  twilio: outside('twilio'),
}
