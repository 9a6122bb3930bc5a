import { networkOf } from '../platform/client-network.ts'
import type { LaneOf } from '../platform/http/request-turns.ts'
import { proxyTest, type TrustProxy } from '../platform/proxies.ts'
import type { CredentialCache } from './credential-cache.ts'
import type { KnownKey } from './known-keys.ts'
import { hashToken, readAuthorization } from './token.ts'

/**
 * Returns a function that finds the lane of a request: that of the payer of its API key, or of the client's network.
 * Behind a trusted proxy, the network is the last one that the proxy names, which a client cannot forge.
 */
export function requestLanes(keys: CredentialCache<KnownKey>, trustProxy: TrustProxy): LaneOf {
  const isTrusted = proxyTest(trustProxy)
  return ({ headers, socket }) => {
    const authorization = readAuthorization(headers.authorization)
    const isToken = authorization.kind === 'token' && authorization.wellFormed
    const key = isToken ? keys.peek(hashToken(authorization.body)) : undefined
    if (key) return { name: key.payer.id, isKnown: true }
    const { remoteAddress = '' } = socket
    const forwarded = isTrusted(remoteAddress) ? String(headers['x-forwarded-for'] ?? '') : ''
    const last = forwarded.slice(forwarded.lastIndexOf(',') + 1).trim()
    return { name: networkOf(last || remoteAddress), isKnown: false }
  }
}
