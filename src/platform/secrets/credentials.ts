import { createPrivateKey } from 'node:crypto'
import { refuse } from '../http/fields.ts'
import { extraForbidden, missing, type Refusal, textTooLong } from '../http/refusal.ts'
import { detailAt, ValidationError } from '../http/validation.ts'
import { nearestName } from '../nearest-name.ts'

export type Credentials = Record<string, string>

export type CredentialCheck = (value: string) => Refusal | null

/** The credentials of a service. A service with several kinds of login has one shape for each. */
export type CredentialShape = Readonly<Record<string, CredentialCheck>>

/** A text of at most `max` characters. */
export const textUpTo =
  (max: number): CredentialCheck =>
  (value) =>
    value.length > max ? textTooLong(max) : null

/** Accepts printable ASCII without spaces: headers and addresses accept nothing else. */
export const tokenUpTo =
  (max: number): CredentialCheck =>
  (value) =>
    /^[\x21-\x7e]+$/.test(value)
      ? textUpTo(max)(value)
      : refuse('use printable ASCII characters without spaces')

/**
 * The address of a server. It may have a path, but no user, password, query or fragment.
 * @param words the error text, with an example
 */
export const serverUrl =
  (protocols: readonly string[], words: string): CredentialCheck =>
  (value) => {
    const url = URL.parse(value)
    const isServer =
      url !== null &&
      protocols.includes(url.protocol) &&
      [url.username, url.password, url.search, url.hash].every((part) => part === '')
    return isServer ? textUpTo(500)(value) : refuse(words)
  }

/** True for an RSA key in PEM of at least 2,048 bits, as RS256 requires (RFC 7518, section 3.3). */
export function isRsaKey(pem: string): boolean {
  try {
    if (pem.length >= 20_000) return false
    const { asymmetricKeyType: type, asymmetricKeyDetails: details } = createPrivateKey(pem)
    return type === 'rsa' && (details?.modulusLength ?? 0) >= 2048
  } catch {
    return false
  }
}

/** The error text for an invalid `private_key`. */
export const rsaKeyMessage =
  'private_key is an RSA key of at least 2,048 bits in PEM, from -----BEGIN PRIVATE KEY----- to its end'

const movedMessage = 'the stored value is not sent to a new url: send it again'

/** Lists the fields of shapes in an error text: `{account_sid, auth_token}`. */
export const namesOf = (shapes: readonly CredentialShape[]): string =>
  shapes.map((shape) => `{${Object.keys(shape).join(', ')}}`).join(' or ')

/**
 * Adds the sent members to the stored credentials, in the shape that fits the sent ones best. A new `url` keeps no
 * stored member: anyone who may change the address could otherwise read the secrets on a server of their own.
 * @throws ValidationError
 */
export function mergeCredentials(
  shapes: readonly CredentialShape[],
  kept: Credentials | null,
  sent: Credentials,
): Credentials {
  const isMoved = kept?.url !== undefined && sent.url !== undefined && sent.url !== kept.url
  const merged: Credentials = isMoved ? sent : { ...kept, ...sent }
  const strangersTo = (shape: CredentialShape) =>
    Object.keys(sent).filter((member) => !Object.hasOwn(shape, member)).length
  const absentOf = (shape: CredentialShape) =>
    Object.keys(shape).filter((member) => !Object.hasOwn(merged, member))
  // Choose the shape with the most sent members. Among equals, prefer a complete one.
  const [shape] = shapes.toSorted(
    (a, b) =>
      strangersTo(a) - strangersTo(b) || Number(absentOf(a).length > 0) - Number(absentOf(b).length > 0),
  ) as [CredentialShape]
  const at = (member: string, refusal: Refusal) => detailAt(['body', 'credentials', member], refusal)
  const unknown = (member: string, shape: CredentialShape) =>
    extraForbidden(nearestName(member, Object.keys(shape)))
  const problems = [
    ...Object.entries(sent).flatMap(([member, value]) => {
      const refusal = Object.hasOwn(shape, member) ? (shape[member]?.(value) ?? null) : unknown(member, shape)
      return refusal ? [at(member, refusal)] : []
    }),
    ...absentOf(shape).map((member) => at(member, isMoved ? refuse(movedMessage) : missing)),
  ]
  if (problems.length > 0) throw new ValidationError(problems)
  return Object.fromEntries(Object.keys(shape).map((member) => [member, merged[member] ?? '']))
}

/** The last characters of a secret, so that people recognize it. A short secret shows none. */
export const hintOf = (value: string): string => `…${value.length < 12 ? '' : value.slice(-4)}`
