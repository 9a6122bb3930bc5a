import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AnonymousBudget } from '../auth/anonymous-budget.ts'
import type { CredentialCache } from '../auth/credential-cache.ts'
import { enforceRateLimit } from '../auth/enforce-rate-limit.ts'
import { isRepeated, type KeyGate } from '../auth/gate.ts'
import { hashToken } from '../auth/token.ts'
import type { KnownApp } from '../connected-apps/known-apps.ts'
import { DomainError } from '../platform/domain-error.ts'
import type { RateLimitStore } from '../platform/rate-limit/rate-limit.ts'
import type { AdmittedCaller } from './route.ts'

export type AdmitParts = {
  /** The gate of API keys. */
  gate: KeyGate
  apps: CredentialCache<KnownApp>
  /** Stores that an app is in use. */
  noteUsed: (app: KnownApp) => void
  limits: RateLimitStore
  anonymous: AnonymousBudget
  /** The issuer of the authorization server at a request; null: apps cannot sign in there. */
  issuerOf: (request: FastifyRequest) => string | null
}

const first = 'contacts:write companies:write deals:write duplicates:write'
const signIn =
  'Apps of people sign in with OAuth: the header WWW-Authenticate names the metadata document. Programs send an API key'
// The authorization server makes these: 43 characters of base64url.
const tokenPattern = /^[\w-]{43}$/

/**
 * Finds the caller of the tool server by an API key, or by the access token of a connected app. Tells hosts without one
 * where to sign in (RFC 9728).
 */
export function admitCallers(parts: AdmitParts) {
  const { gate, apps, limits, anonymous } = parts

  async function appOf(request: FastifyRequest): Promise<KnownApp | null> {
    const token = tokenOf(request)
    if (token === null) return null
    const tokenHash = hashToken(token)
    const known = apps.peek(tokenHash)
    if (known) return known
    if (apps.expects(tokenHash) || anonymous.mayGuess(request.ip, tokenHash)) return apps.load(tokenHash)
    return (await anonymous.take(request.ip)).allowed ? apps.load(tokenHash) : null
  }

  function resourceAt(request: FastifyRequest, issuer: string): string {
    const { org_id: orgId } = request.params as { org_id?: string }
    return orgId === undefined ? `${issuer}/mcp` : `${issuer}/mcp/${encodeURIComponent(orgId.toLowerCase())}`
  }

  return async (request: FastifyRequest, reply: FastifyReply): Promise<AdmittedCaller> => {
    const issuer = parts.issuerOf(request)
    const app = issuer === null ? null : await appOf(request)
    if (
      app &&
      issuer !== null &&
      app.expiresAtMs > Date.now() &&
      app.resource === resourceAt(request, issuer)
    ) {
      const spend = () => limits.take(app.homeOrgId, app.ceilings)
      const decision = await spend()
      if (!decision.allowed) request.overLimit = app
      enforceRateLimit(decision, reply)
      parts.noteUsed(app)
      return { caller: callerOf(app), spend }
    }
    try {
      const caller = await gate(request, reply)
      return { caller, spend: () => limits.take(caller.payerId, caller.ceilings) }
    } catch (error) {
      if (issuer === null || !(error instanceof DomainError) || error.kind !== 'unauthenticated') throw error
      const resource = resourceAt(request, issuer).slice(issuer.length)
      const hint = request.headers.authorization === undefined ? '' : 'error="invalid_token", '
      throw new DomainError(error.code, `${whyRefused(request) ?? error.message}. ${signIn}`, {
        headers: {
          'www-authenticate': `Bearer ${hint}resource_metadata="${issuer}/.well-known/oauth-protected-resource${resource}", scope="${first}"`,
        },
      })
    }
  }
}

/** The token of a request, if it has the form of an access token of an app. */
function tokenOf({ raw, headers }: FastifyRequest): string | null {
  if (isRepeated(raw.rawHeaders)) return null
  const [, token = ''] = /^bearer +(\S+)$/i.exec(headers.authorization?.trim() ?? '') ?? []
  return tokenPattern.test(token) ? token : null
}

const whyRefused = (request: FastifyRequest): string | null =>
  (tokenOf(request) ?? 'svc_').startsWith('svc_')
    ? null
    : 'This access token is not valid here: it has expired, was revoked, or is for another address'

function callerOf(app: KnownApp): AdmittedCaller['caller'] {
  return {
    ...{ apiKeyId: null, memberId: app.memberId, sessionId: null, connectedAppId: app.connectedAppId },
    ...{ name: app.name, homeOrgId: app.homeOrgId, payerId: app.homeOrgId, orgId: app.orgId, mode: app.mode },
    ...{ reachesClients: false, permissions: app.permissions, recordAccess: app.recordAccess },
  }
}
