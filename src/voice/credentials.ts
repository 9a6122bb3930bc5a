import { refuse } from '../platform/http/fields.ts'
import { extraForbidden, missing, type Refusal, textTooLong } from '../platform/http/refusal.ts'
import { detailAt, ValidationError } from '../platform/http/validation.ts'

/** Who places the calls; the simulator needs no credentials. */
export const providers = ['simulator', 'livekit', 'vapi', 'twilio'] as const
export type Provider = (typeof providers)[number]
export type OutsideProvider = Exclude<Provider, 'simulator'>

export type Credentials = Record<string, string>

/** Why a value cannot be one; null if it may be. */
type Check = (value: string) => Refusal | null

const token: Check = (value) =>
  /^[\x21-\x7e]+$/.test(value)
    ? longerThan(500, value)
    : refuse('use printable ASCII characters without spaces')

const accountSid: Check = (value) =>
  /^AC[0-9a-fA-F]{32}$/.test(value) ? null : refuse('an account_sid is AC and 32 hexadecimal digits')

const name: Check = (value) => longerThan(120, value)

const serverUrl: Check = (value) => {
  const url = URL.parse(value)
  const isServer =
    url !== null &&
    /^(wss?|https?):$/.test(url.protocol) &&
    [url.username, url.password, url.search, url.hash].every((part) => part === '')
  return isServer
    ? longerThan(500, value)
    : refuse('the url is that of a LiveKit server, such as wss://livekit.example.com')
}

const longerThan = (max: number, value: string) => (value.length > max ? textTooLong(max) : null)

/** What each provider asks for: all of it. */
const shapes: Record<OutsideProvider, Record<string, Check>> = {
  livekit: { url: serverUrl, api_key: token, api_secret: token, sip_trunk_id: token, agent_name: name },
  vapi: { api_key: token, assistant_id: token, phone_number_id: token },
  twilio: { account_sid: accountSid, auth_token: token },
}

/** `{account_sid, auth_token}`: what a provider asks for, as messages name it. */
export const namesOf = (provider: OutsideProvider): string => `{${Object.keys(shapes[provider]).join(', ')}}`

/**
 * The credentials of a provider, what is sent in place of what was kept.
 * @throws ValidationError naming what the provider does not know, what cannot be, and what is missing
 */
export function mergeCredentials(
  provider: OutsideProvider,
  kept: Credentials | null,
  sent: Credentials,
): Credentials {
  const shape = shapes[provider]
  const at = (member: string, refusal: Refusal) => detailAt(['body', 'credentials', member], refusal)
  const merged = { ...kept, ...sent }
  const details = [
    ...Object.entries(sent).flatMap(([member, value]) => {
      if (!Object.hasOwn(shape, member)) return [at(member, extraForbidden)]
      const refusal = shape[member]!(value)
      return refusal ? [at(member, refusal)] : []
    }),
    ...Object.keys(shape).flatMap((member) => (Object.hasOwn(merged, member) ? [] : [at(member, missing)])),
  ]
  if (details.length > 0) throw new ValidationError(details)
  return Object.fromEntries(Object.keys(shape).map((member) => [member, merged[member]!]))
}

/** What people may see of credentials: the last 4 characters of each, of one so short nothing. */
export function hintsOf(credentials: Credentials): Record<string, string> {
  return Object.fromEntries(
    Object.entries(credentials).map(([member, value]) => [
      member,
      `…${value.length < 12 ? '' : value.slice(-4)}`,
    ]),
  )
}
