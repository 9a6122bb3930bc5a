import type { IncomingHttpHeaders } from 'node:http'
import { networkOf } from '../platform/client-network.ts'
import type { LaneOf } from '../platform/http/request-turns.ts'
import { proxyTest, type TrustProxy } from '../platform/proxies.ts'
import { peekReach } from './client-reach.ts'
import { sessionTokenIn } from './console-cookies.ts'
import type { CredentialCache } from './credential-cache.ts'
import type { KnownKey } from './known-keys.ts'
import type { ClientLinks } from './known-links.ts'
import { isAlive, type KnownSession } from './known-sessions.ts'
import { hashToken, readAuthorization } from './token.ts'

type Cache<Known> = Pick<CredentialCache<Known>, 'peek'>

export type LaneParts = {
  keys: Cache<KnownKey>
  /** The access tokens of connected apps. */
  apps: Cache<{ homeOrgId: string; expiresAtMs: number }>
  sessions: Cache<KnownSession>
  links: ClientLinks
}

/**
 * Returns a function that finds the lane of a request. The payer of an API key or of an app has a lane, the members of
 * an organization share one, and so do the clients of a network. Behind a trusted proxy, the network is that of the
 * last address in X-Forwarded-For, which a client cannot forge.
 */
export function requestLanes({ keys, apps, sessions, links }: LaneParts, trustProxy: TrustProxy): LaneOf {
  const isTrusted = proxyTest(trustProxy)
  return ({ headers, socket }) => {
    const payerId = payerOfToken(keys, apps, headers) ?? payerOfMember(sessions, links, headers)
    if (payerId !== undefined) return { name: payerId, isKnown: true }
    const { remoteAddress = '' } = socket
    const forwarded = isTrusted(remoteAddress) ? String(headers['x-forwarded-for'] ?? '') : ''
    const last = forwarded.slice(forwarded.lastIndexOf(',') + 1).trim()
    return { name: networkOf(last || remoteAddress), isKnown: false }
  }
}

function payerOfToken(
  keys: LaneParts['keys'],
  apps: LaneParts['apps'],
  headers: IncomingHttpHeaders,
): string | undefined {
  const authorization = readAuthorization(headers.authorization)
  if (authorization.kind !== 'token') return undefined
  const tokenHash = hashToken(authorization.body)
  const app = apps.peek(tokenHash)
  if (app) return app.expiresAtMs > Date.now() ? app.homeOrgId : undefined
  return authorization.wellFormed ? keys.peek(tokenHash)?.payer.id : undefined
}

/** A person with several organizations who names none waits in the lane of the first one. */
function payerOfMember(
  sessions: Cache<KnownSession>,
  links: ClientLinks,
  headers: IncomingHttpHeaders,
): string | undefined {
  const token = sessionTokenIn(headers.cookie)
  const session = token === null ? undefined : sessions.peek(hashToken(token))
  if (!session || session.isPartial || !isAlive(session)) return undefined
  const named = peekReach(links, session, String(headers['x-org-id'] ?? '').toLowerCase())
  const { homeOrgId } = named ?? session.reached.values().next().value ?? {}
  return homeOrgId === undefined ? undefined : `${homeOrgId}:members`
}
