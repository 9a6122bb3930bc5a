import type { Context } from '../../platform/context.ts'
import { Outbound } from '../../platform/outbound/outbound.ts'
import type { Credentials } from '../../platform/secrets/credentials.ts'
import type { OutsideProviderName } from '../credentials.ts'
import { LivekitProvider } from './livekit.ts'
import type { Provider, VoiceProviderDeps } from './provider.ts'
import { TwilioProvider } from './twilio.ts'
import { VapiProvider } from './vapi.ts'

/**
 * What the adapters of providers need from the process.
 * @param owner the organization whose thread time parses the answers
 */
export function providerDeps(
  { config, log }: Pick<Context, 'config' | 'log'>,
  owner: string,
): VoiceProviderDeps {
  const { outboundAllowPrivate: allowPrivate, twilioApiUrl, vapiApiUrl } = config
  return { outbound: new Outbound({ allowPrivate, log }), owner, twilioApiUrl, vapiApiUrl }
}

const adapterClasses = { twilio: TwilioProvider, vapi: VapiProvider, livekit: LivekitProvider }

/** The adapter of a provider, with the organization's credentials. */
export const outsideProvider = (
  name: OutsideProviderName,
  credentials: Credentials,
  deps: VoiceProviderDeps,
): Provider => new adapterClasses[name](credentials, deps)
