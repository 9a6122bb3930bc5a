import { createHash, createHmac } from 'node:crypto'
import { isEqualInConstantTime } from '../../platform/constant-time.ts'
import { membersOf } from '../../platform/members.ts'
import { parseShortJson } from '../../platform/outbound/untrusted-json.ts'

export type LivekitClaims = Readonly<Record<string, unknown>>

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const sign = (text: string, secret: string) => createHmac('sha256', secret).update(text).digest('base64url')

/** In seconds: the lifetime of a token, and the accepted difference of clocks. */
const [lifetime, leeway] = [300, 60]

/**
 * A JWT signed with HS256 (RFC 7519, docs.livekit.io/frontends/reference/tokens-grants).
 * @param claims the rights of the token, such as `{video: {roomAdmin: true, room}}`
 * @param now Unix seconds
 */
export function livekitToken(apiKey: string, apiSecret: string, claims: LivekitClaims, now: number): string {
  const times = { nbf: now - leeway, exp: now + lifetime }
  const text = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ iss: apiKey, ...times, ...claims })}`
  return `${text}.${sign(text, apiSecret)}`
}

/** Reads the claims of a token. Returns null unless this key signed it with HS256 and it is valid now. */
export function readLivekitToken(
  apiKey: string,
  apiSecret: string,
  token: string,
  now: number,
): LivekitClaims | null {
  const [head = '', payload = '', signature = '', ...more] = token.split('.')
  if (more.length > 0 || !isEqualInConstantTime(signature, sign(`${head}.${payload}`, apiSecret))) return null
  const [{ alg }, claims] = [head, payload].map((part) =>
    membersOf(parseShortJson(Buffer.from(part, 'base64url'))),
  ) as [LivekitClaims, LivekitClaims]
  const { iss, exp, nbf } = claims
  const inForce =
    typeof exp === 'number' && now < exp + leeway && (typeof nbf !== 'number' || nbf - leeway <= now)
  return alg === 'HS256' && iss === apiKey && inForce ? claims : null
}

/**
 * Whether a webhook's token belongs to this body: its claim `sha256` is the SHA-256 of the body
 * (docs.livekit.io/home/server/webhooks).
 */
export function matchesBody({ sha256 }: LivekitClaims, body: Buffer): boolean {
  return (
    typeof sha256 === 'string' &&
    isEqualInConstantTime(sha256, createHash('sha256').update(body).digest('base64'))
  )
}
