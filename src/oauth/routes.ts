import type { CredentialCache } from '../auth/credential-cache.ts'
import type { KnownSession } from '../auth/known-sessions.ts'
import { limitPeople } from '../auth/limit-people.ts'
import { hashToken } from '../auth/token.ts'
import type { SystemScope } from '../platform/db/system.ts'
import { notFound, unauthenticated } from '../platform/domain-error.ts'
import { type Endpoint, endpoint } from '../platform/http/endpoint.ts'
import { type RequestingBrowser, requireBrowser } from '../platform/http/requesting-browser.ts'
import type { AuthorizationServer } from './authorization-server.ts'
import { allowAccess, declineAccess, readConsent } from './consent.ts'
import { forMember } from './network.ts'
import { AllowApp, AnsweredConsent, Consent, ConsentPath } from './schema.ts'

export type ConsentParts = {
  scope: SystemScope
  sessions: CredentialCache<KnownSession>
  server: AuthorizationServer
}

const common = {
  tag: 'Connected apps',
  audience: 'console',
  effect: 'none',
  permission: null,
  access: 'person',
} as const
const expired = { 404: 'The request expired or was answered' }

/** A person decides in the console whether an app is connected. API keys cannot use these endpoints. */
export const consentEndpoints = (parts: ConsentParts): Endpoint[] => {
  const providerFor = (browser: RequestingBrowser | null) => {
    const issuer = parts.server.issuerAt(new URL(requireBrowser(browser).origin).host)
    if (issuer === null) throw notFound('object_not_found', 'Apps cannot be connected without https')
    return parts.server.provider(issuer)
  }
  /** @throws DomainError not_found if the sign-in began in another browser */
  const uidOf = (browser: RequestingBrowser | null, { uid }: { uid: string }): string => {
    if (requireBrowser(browser).appSignIns.includes(uid)) return uid
    throw notFound(
      'object_not_found',
      'This request to connect an app expired, or began in another browser; start again in the app',
    )
  }
  const sessionOf = async (browser: RequestingBrowser | null): Promise<KnownSession> => {
    const { token } = requireBrowser(browser)
    const session = token === null ? null : await limitPeople(() => parts.sessions.load(hashToken(token)))
    if (!session) throw unauthenticated('session_ended', 'You are signed out; sign in again')
    return session
  }
  return [
    endpoint({
      ...common,
      method: 'GET',
      path: '/connect/{uid}',
      name: 'get_consent',
      sdk: 'consents.get',
      summary: 'Read what an app asks for',
      params: ConsentPath,
      shape: 'data',
      response: Consent,
      errors: expired,
      handle: async ({ params, browser }) => {
        const session = await sessionOf(browser)
        const provider = await providerFor(browser)
        return forMember(session.memberId, () =>
          readConsent(provider, parts.scope, uidOf(browser, params), session),
        )
      },
    }),
    endpoint({
      ...common,
      method: 'POST',
      path: '/connect/{uid}/allow',
      name: 'allow_app',
      sdk: 'consents.allow',
      summary: 'Connect an app',
      confirm: true,
      params: ConsentPath,
      body: AllowApp,
      shape: 'data',
      response: AnsweredConsent,
      errors: { ...expired, 403: 'The person lacks the organization or a permission' },
      handle: async ({ params, body, browser, caller }) => {
        const session = await sessionOf(browser)
        const allowed = { orgId: body.org_id, mode: body.mode, permissions: body.permissions }
        const provider = await providerFor(browser)
        const uid = uidOf(browser, params)
        return forMember(session.memberId, async () => ({
          redirect_url: await allowAccess(provider, parts.scope, { uid, session, caller, allowed }),
        }))
      },
    }),
    endpoint({
      ...common,
      method: 'POST',
      path: '/connect/{uid}/decline',
      name: 'decline_app',
      sdk: 'consents.decline',
      summary: 'Decline to connect an app',
      params: ConsentPath,
      shape: 'data',
      response: AnsweredConsent,
      errors: expired,
      handle: async ({ params, browser }) => {
        const session = await sessionOf(browser)
        const provider = await providerFor(browser)
        const uid = uidOf(browser, params)
        return forMember(session.memberId, async () => ({
          redirect_url: await declineAccess(provider, parts.scope, uid),
        }))
      },
    }),
  ]
}
