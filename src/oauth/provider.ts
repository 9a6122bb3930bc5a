import { type Configuration, errors, Provider } from 'oidc-provider'
import { appSignInCookie } from '../auth/visits.ts'
import type { SystemScope } from '../platform/db/system.ts'
import type { Outbound } from '../platform/outbound/outbound.ts'
import { findClient } from './clients.ts'
import { isAppAlive } from './grants.ts'
import { Forgotten, Items } from './items.ts'
import { paths, resourceOf, scopes } from './names.ts'

const hour = 3_600
const day = 86_400
const signInSeconds = 900
const documentBytes = 64 * 1024
const documentTimeoutMs = 5_000

export type ProviderParts = {
  scope: SystemScope
  outbound: Outbound
  /** Signs the cookies of a sign-in under way. */
  cookieKey: Buffer
  /** The private key of the JWKS, which nothing uses: tokens are opaque. */
  signingKey: JsonWebKey
  /** Called when a refresh token was used twice, and its grant ended. */
  onReuse: (connectedAppId: string) => void
}

/** The page of the console that asks a person whether to connect an app. */
export const consentPath = (uid: string): string => `/console/connect/${uid}`

/** The authorization server of an issuer (OAuth 2.1 for public clients, with PKCE). */
export function createProvider(issuer: string, parts: ProviderParts): Provider {
  const provider = new Provider(issuer, configurationOf(issuer, parts))
  provider.proxy = true
  provider.on('grant.revoked', (ctx) => {
    const app = ctx.oidc.entities.RefreshToken?.accountId
    if (app !== undefined) parts.onReuse(app)
  })
  return provider
}

function configurationOf(
  issuer: string,
  { scope, outbound, cookieKey, signingKey }: ProviderParts,
): Configuration {
  const all = scopes.join(' ')
  return {
    adapter: (kind) => {
      if (kind === 'Session') return new Forgotten()
      const items = new Items(kind, scope)
      return kind === 'Client' ? Object.assign(items, { find: (id: string) => findClient(scope, id) }) : items
    },
    jwks: { keys: [signingKey as never] },
    cookies: {
      keys: [cookieKey.toString('base64url')],
      names: { interaction: 'cw_connect', resume: 'cw_resume', session: 'cw_app' },
    },
    scopes: [...scopes],
    claims: {},
    responseTypes: ['code'],
    clientAuthMethods: ['none'],
    clientDefaults: {
      ...{ application_type: 'native', token_endpoint_auth_method: 'none' },
      id_token_signed_response_alg: 'ES256',
    },
    routes: { ...paths, authorization: paths.authorization },
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      // A stranger who holds a token may use it, and must not disconnect the app in the name of another client.
      revocation: {
        enabled: true,
        allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId,
      },
      // Their addresses are not served, and the tool server reads no proof of possession.
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      clientIdMetadataDocument: {
        enabled: true,
        ack: 'draft-02',
        cacheDuration: { min: 60, max: day },
      } as never,
      resourceIndicators: {
        enabled: true,
        defaultResource: () => `${issuer}/mcp`,
        useGrantedResource: () => true,
        getResourceServerInfo: (_ctx, sent) => {
          const known = resourceOf(issuer, sent)
          if (known === null) throw new errors.InvalidTarget()
          return { scope: all, audience: known.resource, accessTokenFormat: 'opaque', accessTokenTTL: hour }
        },
      },
    },
    fetch: (url: string | URL) => fetchDocument(outbound, url),
    interactions: {
      url: (ctx, { uid }) => {
        ctx.append('set-cookie', appSignInCookie(issuer.startsWith('https:'), uid, signInSeconds))
        return consentPath(uid)
      },
    },
    findAccount: async (_ctx, accountId) =>
      (await isAppAlive(scope, accountId)) ? { accountId, claims: () => ({ sub: accountId }) } : undefined,
    rotateRefreshToken: () => true,
    issueRefreshToken: () => true,
    expiresWithSession: () => false,
    renderError: (ctx, out) => {
      ctx.type = 'html'
      ctx.body = errorPage(out.error_description ?? out.error)
    },
    ttl: {
      ...{ AccessToken: hour, AuthorizationCode: 60, RefreshToken: 30 * day, Grant: 365 * day },
      ...{ Interaction: signInSeconds, Session: signInSeconds },
    },
  } as Configuration
}

/** Reads the metadata document of a client from a public address, without redirects. */
async function fetchDocument(outbound: Outbound, url: string | URL): Promise<Response> {
  const request = { method: 'GET', url, timeoutMs: documentTimeoutMs, maxBytes: documentBytes } as const
  const { status, headers, body } = await outbound.send(request)
  const sent = new Headers()
  for (const name of ['content-type', 'cache-control', 'etag', 'age', 'expires', 'date']) {
    const value = headers[name]
    if (typeof value === 'string') sent.set(name, value)
  }
  return new Response(new Uint8Array(body), { status: status < 200 ? 502 : status, headers: sent })
}

const escaped = (text: string) => text.replaceAll(/[&<>"']/g, (each) => `&#${each.charCodeAt(0)};`)

/** A page without scripts or fonts, for people whose app sent something wrong. */
const errorPage = (reason: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Not connected</title><body style="font:16px/1.5 system-ui;max-width:32rem;margin:4rem auto;padding:0 1rem;color-scheme:light dark"><h1 style="font-size:1.25rem">The app was not connected</h1><p>${escaped(reason)}</p><p>Close this window, and start again in the app. If it happens again, tell the makers of the app what is written here.</p></body></html>`
