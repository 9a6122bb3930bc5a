import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { isObject } from '../platform/members.ts'

export type Mode = 'live' | 'test'

/** A new secret. Only the hash of its body is stored. The hint lets people distinguish keys. */
export type NewToken = { token: string; body: string; hint: string }

/** The body of a sent token. A malformed body needs no lookup, because no key has it. */
export type ReadToken = { body: string; wellFormed: boolean }

export type Authorization =
  | { kind: 'api_key_missing' | 'authorization_malformed' | 'jwt_not_accepted' }
  | ({ kind: 'token' } & ReadToken)

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const prefixes: Record<Mode, string> = { live: 'svc_live_', test: 'svc_test_' }
const invitationPrefix = 'svc_invite_'

// 30 characters of base62 have 178 random bits, and 6 more are a CRC-32.
const randomLength = 30
const checksumLength = 6
const bodyPattern = /^[0-9A-Za-z]{36}$/
// Not 36, because a body of 36 characters must end with a checksum.
const legacyLength = 40
const possibleBodyPattern = /^[\x21-\x7e]{1,256}$/

// RFC 6750 section 2.1. The case of the scheme does not matter (RFC 9110 section 11.1).
const bearerPattern = /^ *bearer +([^ ]+) *$/i

// Node's default for the longest header (--max-http-header-size).
const longestJwt = 16_384
const jwtPattern = /^([\w-]+)\.[\w-]*\.[\w-]*$/

/**
 * Makes a token whose body ends with a checksum of the rest. A mistyped token is then recognized without a lookup.
 */
export function newToken(mode: Mode): NewToken {
  return newTokenWith(prefixes[mode])
}

/** Makes the token of an invitation. It is never valid as an API key, nor is an API key valid as an invitation. */
export function newInvitationToken(): NewToken {
  return newTokenWith(invitationPrefix)
}

/** Returns the body of a sent invitation token; null if it is malformed. */
export function readInvitationToken(raw: string): string | null {
  if (!raw.startsWith(invitationPrefix)) return null
  const { body, wellFormed } = readToken(raw.slice(invitationPrefix.length))
  return wellFormed ? body : null
}

function newTokenWith(prefix: string): NewToken {
  const body = withChecksum(randomLength)
  return { token: prefix + body, body, hint: hint(body) }
}

/** Makes a token of the old form, without prefix and checksum: 40 base62 characters. */
export function newLegacyToken(): NewToken {
  const body = randomBase62(legacyLength)
  return { token: body, body, hint: hint(body) }
}

/**
 * Removes the mode prefix, which is only a label. A body of 36 base62 characters must have a correct checksum. Any
 * other body of 1 to 256 printable ASCII characters without spaces may be a legacy token.
 */
export function readToken(raw: string): ReadToken {
  const labeled = raw.startsWith(prefixes.live) || raw.startsWith(prefixes.test)
  const body = labeled ? raw.slice(prefixes.live.length) : raw
  if (bodyPattern.test(body)) {
    return { body, wellFormed: body.endsWith(checksum(body.slice(0, randomLength))) }
  }
  return { body, wellFormed: possibleBodyPattern.test(body) }
}

/**
 * Whether a token with a prefix was cut, or got more characters: its body has another length than Crosswalk makes. Ask
 * only after a lookup, because a program may send any legacy token with the prefix.
 */
export function hasWrongLength(raw: string): boolean {
  const { body } = readToken(raw)
  return body !== raw && body.length !== randomLength + checksumLength && body.length !== legacyLength
}

/**
 * The SHA-256 of a body; nothing else of a token is stored. It is a binary string of 32 characters, one for each
 * byte, so that it can be a key of a Map. `Buffer.from(hash, 'latin1')` gives the bytes. Takes 0.3 µs, and a Buffer
 * would take 0.9 µs.
 */
export function hashToken(body: string): string {
  return hash('sha256', body, 'binary')
}

/** Returns the last 4 characters of a body, by which people distinguish their keys. */
export function hint(body: string): string {
  return body.slice(-4)
}

/**
 * Reads an `Authorization: Bearer <token>` header (RFC 6750, section 2.1). Accepts several spaces between the words,
 * and spaces around them. Never throws.
 */
export function readAuthorization(header: string | undefined): Authorization {
  if (header === undefined) return { kind: 'api_key_missing' }
  const raw = bearerPattern.exec(header)?.[1]
  if (raw === undefined) return { kind: 'authorization_malformed' }
  if (looksLikeJwt(raw)) return { kind: 'jwt_not_accepted' }
  return { kind: 'token', ...readToken(raw) }
}

/**
 * Whether a token is a JSON Web Token: three base64url parts with dots between them. The first part is a JSON object
 * with `alg` (RFC 7515, section 4.1.1). The last part may be empty (RFC 7519, section 6.1). Never throws.
 */
export function looksLikeJwt(raw: string): boolean {
  if (!raw.includes('.') || raw.length > longestJwt) return false
  const header = jwtPattern.exec(raw)?.[1]
  if (header === undefined) return false
  try {
    const parsed: unknown = JSON.parse(Buffer.from(header, 'base64url').toString())
    return isObject(parsed) && Object.hasOwn(parsed, 'alg')
  } catch {
    return false
  }
}

/** `length` random base62 characters, and a checksum of 6 characters. */
export function withChecksum(length: number): string {
  const random = randomBase62(length)
  return random + checksum(random)
}

/** True if the last 6 characters are the checksum of the others. */
export const hasChecksum = (text: string): boolean => text.endsWith(checksum(text.slice(0, -checksumLength)))

function randomBase62(length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
}

/** Returns the CRC-32 (IEEE) of a text in base62: 6 characters, the most significant digit first, padded with 0. */
function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let place = 0; place < checksumLength; place++) {
    digits = alphabet[rest % alphabet.length] + digits
    rest = Math.floor(rest / alphabet.length)
  }
  return digits
}
