import type { Context } from '../../platform/context.ts'
import { Outbound } from '../../platform/outbound/outbound.ts'
import type { Credentials } from '../../platform/secrets/credentials.ts'
import type { OutsideProvider } from '../credentials.ts'
import { livekitProvider } from './livekit.ts'
import type { OutsideDeps, Provider } from './provider.ts'
import { twilioProvider } from './twilio.ts'
import { vapiProvider } from './vapi.ts'

/** What the adapters of outside providers need, from the settings. */
export function outsideDeps({ config, log }: Pick<Context, 'config' | 'log'>): OutsideDeps {
  const { outboundAllowPrivate: allowPrivate, twilioApiUrl, vapiApiUrl } = config
  return { outbound: new Outbound({ allowPrivate, log }), twilioApiUrl, vapiApiUrl }
}

/** The adapter of a provider, with the credentials that an org has there. */
export function outsideProvider(
  name: OutsideProvider,
  credentials: Credentials,
  deps: OutsideDeps,
): Provider {
  switch (name) {
    case 'twilio':
      return twilioProvider(credentials, deps)
    case 'vapi':
      return vapiProvider(credentials, deps)
    case 'livekit':
      return livekitProvider(credentials, deps)
  }
}
