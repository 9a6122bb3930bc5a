import { refuse } from '../platform/http/fields.ts'
import {
  type CredentialCheck,
  type CredentialShape,
  type Credentials,
  hintOf,
  serverUrl,
  textUpTo,
  tokenUpTo,
} from '../platform/secrets/credentials.ts'

/** The providers that place calls. The simulator needs no credentials. */
export const providerNames = ['simulator', 'livekit', 'vapi', 'twilio'] as const
export type ProviderName = (typeof providerNames)[number]
export type OutsideProviderName = Exclude<ProviderName, 'simulator'>

const token = tokenUpTo(500)
const accountSid: CredentialCheck = (value) =>
  /^AC[0-9a-fA-F]{32}$/.test(value) ? null : refuse('this must be AC and 32 hexadecimal digits')
const livekitUrl = serverUrl(
  ['ws:', 'wss:', 'http:', 'https:'],
  'the url must be the address of a LiveKit server, such as wss://livekit.example.com',
)

/** The credentials that each provider needs. All members are required. */
export const credentialShapes: Readonly<Record<OutsideProviderName, CredentialShape>> = {
  livekit: {
    url: livekitUrl,
    ...{ api_key: token, api_secret: token, sip_trunk_id: token, agent_name: textUpTo(120) },
  },
  vapi: { api_key: token, assistant_id: token, phone_number_id: token },
  twilio: { account_sid: accountSid, auth_token: token },
}

/** The hints of credentials in answers: the last characters of each. */
export const hintsOf = (credentials: Credentials): Record<string, string> =>
  Object.fromEntries(Object.entries(credentials).map(([member, value]) => [member, hintOf(value)]))
