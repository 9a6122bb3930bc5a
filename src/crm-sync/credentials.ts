import { createPrivateKey } from 'node:crypto'
import { refuse } from '../platform/http/fields.ts'
import { extraForbidden, missing, type Refusal } from '../platform/http/refusal.ts'
import { detailAt, ValidationError } from '../platform/http/validation.ts'
import type { ProviderName } from './schema.ts'

export type Credentials = Record<string, string>

/** Why a value cannot be one; null if it may be. */
type Check = (value: string) => Refusal | null

const token: Check = (value) =>
  /^[\x21-\x7e]{1,4000}$/.test(value) ? null : refuse('use printable ASCII characters without spaces')

const serverUrl: Check = (value) => {
  const url = URL.parse(value)
  const isServer =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    [url.username, url.password, url.search, url.hash].every((part) => part === '')
  return isServer ? null : refuse('the url is that of the CRM, such as https://crm.example.com')
}

const rsaKey: Check = (value) => {
  try {
    if (createPrivateKey(value).asymmetricKeyType === 'rsa') return null
  } catch {}
  return refuse('private_key is an RSA key in PEM, from -----BEGIN PRIVATE KEY----- to its end')
}

/** What each provider asks for: all of one of these. */
const shapes: Record<ProviderName, readonly Record<string, Check>[]> = {
  sandbox: [{}],
  salesforce: [
    { client_id: token, client_secret: token, refresh_token: token },
    { client_id: token, username: token, private_key: rsaKey },
  ],
  hubspot: [{ access_token: token }],
  espocrm: [{ url: serverUrl, api_key: token }],
}

/** As messages name what a provider asks for. */
const namesOf = (provider: ProviderName): string =>
  shapes[provider].map((shape) => `{${Object.keys(shape).join(', ')}}`).join(' or ')

/**
 * The credentials of a provider, what is sent in place of what was kept.
 * @throws ValidationError naming what the provider does not know, what cannot be, and what is missing
 */
export function mergeCredentials(
  provider: ProviderName,
  kept: Credentials | null,
  sent: Credentials | undefined,
): Credentials {
  const at = (member: string, refusal: Refusal) => detailAt(['body', 'credentials', member], refusal)
  const strangersTo = (shape: object) =>
    Object.keys(sent ?? {}).filter((member) => !Object.hasOwn(shape, member))
  const [shape] = shapes[provider].toSorted((a, b) => strangersTo(a).length - strangersTo(b).length) as [
    Record<string, Check>,
  ]
  const strangers = strangersTo(shape).map((member) => at(member, extraForbidden))
  const wrong = Object.entries(sent ?? {}).flatMap(([member, value]) => {
    const refusal = shape[member]?.(value)
    return refusal ? [at(member, refusal)] : []
  })
  const merged: Credentials = { ...kept, ...sent }
  // One that knows no less of what was sent: what is kept of another would leave it out.
  const fitting = [shape, ...shapes[provider]].find(
    (each) =>
      strangersTo(each).length === strangers.length &&
      Object.keys(each).every((member) => Object.hasOwn(merged, member)),
  )
  const absent = fitting ? [] : Object.keys(shape).filter((member) => !Object.hasOwn(merged, member))
  if (absent.length > 0 && sent === undefined) {
    const problem = refuse(`${provider} needs ${namesOf(provider)}`)
    throw new ValidationError([detailAt(['body', 'credentials'], problem)])
  }
  const problems = [...strangers, ...wrong, ...absent.map((member) => at(member, missing))]
  if (problems.length > 0) throw new ValidationError(problems)
  return Object.fromEntries(Object.keys(fitting!).map((member) => [member, merged[member]!]))
}

/** What people may see of credentials: the last 4 characters of each; of one so short, and of a key, nothing. */
export function hintsOf(credentials: Credentials): Record<string, string> {
  const hint = ([member, value]: [string, string]) => {
    if (member === 'url' || member === 'username') return value
    return `…${value.length < 12 || member === 'private_key' ? '' : value.slice(-4)}`
  }
  return Object.fromEntries(Object.entries(credentials).map((entry) => [entry[0], hint(entry)]))
}
