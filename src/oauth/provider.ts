import { type Configuration, errors, Provider } from 'oidc-provider'
import { appSignInCookie } from '../auth/console-cookies.ts'
import { isAppUsable } from '../connected-apps/known-apps.ts'
import type { SystemScope } from '../platform/db/system.ts'
import type { Log } from '../platform/log.ts'
import type { Outbound } from '../platform/outbound/outbound.ts'
import { fetchDocument } from './client-documents.ts'
import { findClient } from './clients.ts'
import { logErrors } from './error-log.ts'
import { errorPage } from './error-page.ts'
import { Items, UnstoredItems } from './items.ts'
import { forStrangers } from './limit-database.ts'
import { paths, resourceOf, scopes } from './names.ts'

const hour = 3_600
const day = 86_400
const signInSeconds = 900
const busy = 'many apps sign in at this moment; try again in a few seconds'

export type ProviderParts = {
  scope: SystemScope
  outbound: Outbound
  log: Log
  /** Signs the cookies of a sign-in in progress. */
  cookieKey: Buffer
  /** The private key of the JWKS. Nothing uses it: tokens are opaque. */
  signingKey: JsonWebKey
  /** Called when a grant ended: its client revoked a token, or somebody used a code or a refresh token twice. */
  onGrantEnd: (connectedAppId: string) => void
}

/** The page of the console that asks a person whether to connect an app. */
const consentPath = (uid: string): string => `/console/connect/${uid}`

/** Returns the authorization server of an issuer (OAuth 2.1 for public clients, with PKCE). */
export function createProvider(issuer: string, parts: ProviderParts): Provider {
  const provider = new Provider(issuer, configurationOf(issuer, parts))
  provider.proxy = true
  logErrors(provider, parts.log)
  provider.on('grant.revoked', (ctx) => {
    const { RefreshToken, AccessToken, AuthorizationCode } = ctx.oidc.entities
    const app = (RefreshToken ?? AccessToken ?? AuthorizationCode)?.accountId
    if (app !== undefined) parts.onGrantEnd(app)
  })
  return provider
}

function configurationOf(
  issuer: string,
  { scope: whole, outbound, cookieKey, signingKey }: ProviderParts,
): Configuration {
  const scope = forStrangers(whole, () => new errors.TemporarilyUnavailable(busy))
  const all = scopes.join(' ')
  return {
    adapter: (kind) => {
      if (kind === 'Session') return new UnstoredItems()
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
    routes: { ...paths },
    pkce: { required: () => true },
    // Hosts ask for tokens from a program or a server, not from a page of another site.
    clientBasedCORS: () => false,
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      // A stranger who has a token can use it, but must not be able to disconnect the app as another client.
      revocation: {
        enabled: true,
        allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId,
      },
      // Crosswalk does not serve the addresses of these features, and the tool server reads no proof of possession.
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      clientIdMetadataDocument: {
        enabled: true,
        ack: 'draft-02',
        cacheDuration: { min: 60, max: day },
      } as never,
      // ChatGPT's document prefers a signed assertion, and lists `none` as an alternative.
      rpMetadataChoices: { enabled: true },
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
      (await isAppUsable((query) => scope.readRows(query), accountId))
        ? { accountId, claims: () => ({ sub: accountId }) }
        : undefined,
    rotateRefreshToken: () => true,
    // Without its grant, a token that a refresh stores at the same moment is refused.
    revokeGrantPolicy: async ({ oidc }) => {
      const { code } = oidc.params ?? {}
      // The library does not say which code was used twice.
      const used = typeof code === 'string' ? await oidc.provider.AuthorizationCode.find(code) : undefined
      if (used) oidc.entity('AuthorizationCode', used)
      return true
    },
    issueRefreshToken: () => true,
    expiresWithSession: () => false,
    renderError: (ctx, out, error) => {
      ctx.type = 'html'
      ctx.body = errorPage(out, error)
    },
    ttl: {
      ...{ AccessToken: hour, AuthorizationCode: 60, RefreshToken: 30 * day, Grant: 365 * day },
      ...{ Interaction: signInSeconds, Session: signInSeconds },
    },
  } as Configuration
}
