import { refuse } from '../platform/http/fields.ts'
import { detailAt, ValidationError } from '../platform/http/validation.ts'
import {
  type CredentialCheck,
  type CredentialShape,
  type Credentials,
  hintOf,
  isRsaKey,
  mergeCredentials,
  namesOf,
  rsaKeyMessage,
  serverUrl,
  tokenUpTo,
} from '../platform/secrets/credentials.ts'
import type { ProviderName } from './providers.ts'

const token = tokenUpTo(4_000)
const rsaKey: CredentialCheck = (value) => (isRsaKey(value) ? null : refuse(rsaKeyMessage))
const crmUrl = serverUrl(
  ['http:', 'https:'],
  'the url must be the address of the CRM, such as https://crm.example.com',
)

/** The credentials of each provider. Send all fields of one of its shapes. */
export const credentialShapes: Record<ProviderName, readonly CredentialShape[]> = {
  sandbox: [{}],
  salesforce: [
    { client_id: token, client_secret: token, refresh_token: token },
    { client_id: token, username: token, private_key: rsaKey },
  ],
  hubspot: [{ access_token: token }],
  espocrm: [{ url: crmUrl, api_key: token }],
}

/**
 * The credentials to store. Sent members replace stored ones.
 * @throws ValidationError that names unknown, invalid and missing members
 */
export function credentialsFor(
  provider: ProviderName,
  stored: Credentials | null,
  sent: Credentials | undefined,
): Credentials {
  if (sent === undefined && provider !== 'sandbox') {
    const problem = refuse(`${provider} needs ${namesOf(credentialShapes[provider])}`)
    throw new ValidationError([detailAt(['body', 'credentials'], problem)])
  }
  return mergeCredentials(credentialShapes[provider], stored, sent ?? {})
}

/**
 * Shows the url and the username in full, and the last characters of other credentials. A private key is not shown at
 * all.
 */
export function hintsOf(credentials: Credentials): Record<string, string> {
  const hint = ([member, value]: [string, string]) => {
    if (member === 'url' || member === 'username') return value
    return member === 'private_key' ? '…' : hintOf(value)
  }
  return Object.fromEntries(Object.entries(credentials).map((entry) => [entry[0], hint(entry)]))
}
