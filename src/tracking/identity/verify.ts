import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { jwtVerify } from 'jose'
import { isObject } from '../../platform/members.ts'
import { readId } from '../wire/ids.ts'
import type { Proof, VerifiedUser } from '../wire/proof.ts'

/** A token may be valid for this long: somebody who steals it can use it until then. */
const lifetimeMaxSeconds = 86_400
/** The clocks of two servers may differ by this much. */
const skewSeconds = 60
const tokenLengthMax = 8_192

/**
 * The secret that signs user hashes, derived from the identity secret. With one secret for both, somebody who may choose a user id
 * could choose the content of a token: its hash would be the signature.
 */
export function userHashSecretOf(identitySecret: string): string {
  const key = hkdfSync('sha256', identitySecret, 'crosswalk', 'user hashes', 32)
  return `uhsec_${Buffer.from(key).toString('base64url')}`
}

/**
 * Returns the user whom a token or a hash proves; null if neither does.
 * @param secrets the identity secrets of the organization that are valid
 */
export async function verifyUser(proof: Proof, secrets: readonly string[]): Promise<VerifiedUser | null> {
  for (const secret of secrets) {
    const user = (await ofToken(proof, secret)) ?? ofHash(proof, secret)
    if (user) return user
  }
  return null
}

/** HS256 is the only accepted algorithm: a token could otherwise say that it has no signature. */
async function ofToken({ token, userId }: Proof, secret: string): Promise<VerifiedUser | null> {
  if (token === null || token.length > tokenLengthMax) return null
  try {
    const { payload } = await jwtVerify(token, new TextEncoder().encode(secret), {
      algorithms: ['HS256'],
      requiredClaims: ['sub', 'exp'],
      clockTolerance: skewSeconds,
    })
    const { exp = 0, traits } = payload
    const userKey = readId(payload.sub)
    if (exp > Date.now() / 1000 + lifetimeMaxSeconds + skewSeconds) return null
    // A token of one user must not confirm another one.
    if (userKey === null || (userId !== null && userId !== userKey)) return null
    return { userKey, by: 'token', traits: isObject(traits) ? traits : null }
  } catch {
    return null
  }
}

function ofHash({ userHash, userId: userKey }: Proof, secret: string): VerifiedUser | null {
  if (userKey === null || userHash === null || !/^[0-9a-f]{64}$/i.test(userHash)) return null
  const expected = createHmac('sha256', userHashSecretOf(secret)).update(userKey).digest()
  return timingSafeEqual(expected, Buffer.from(userHash, 'hex'))
    ? { userKey, by: 'user_hash', traits: null }
    : null
}
