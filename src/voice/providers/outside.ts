import type { Context } from '../../platform/context.ts'
import { Outbound } from '../../platform/outbound/outbound.ts'
import type { Credentials } from '../../platform/secrets/credentials.ts'
import type { OutsideProvider } from '../credentials.ts'
import { livekitProvider } from './livekit.ts'
import type { Provider } from './provider.ts'
import { twilioProvider } from './twilio.ts'
import { vapiProvider } from './vapi.ts'

/** What the ways to all providers outside share; the addresses are those of the settings. */
export type Outside = { outbound: Outbound; twilioApiUrl: string; vapiApiUrl: string }

/** The ways to them that the settings say. */
export function outsideOf({ config, log }: Pick<Context, 'config' | 'log'>): Outside {
  const { outboundAllowPrivate: allowPrivate, twilioApiUrl, vapiApiUrl } = config
  return { outbound: new Outbound({ allowPrivate, log }), twilioApiUrl, vapiApiUrl }
}

/** The way to a provider, with the credentials that an org has there. */
export function outsideProvider(name: OutsideProvider, credentials: Credentials, outside: Outside): Provider {
  switch (name) {
    case 'twilio':
      return twilioProvider(credentials, outside)
    case 'vapi':
      return vapiProvider(credentials, outside)
    case 'livekit':
      return livekitProvider(credentials, outside)
  }
}
