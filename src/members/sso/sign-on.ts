import type { Configuration } from 'openid-client'
import type { RequestingBrowser } from '../../platform/http/requesting-browser.ts'
import type { MemberDeps } from '../member-deps.ts'
import { confirmSession, openSession } from '../sessions.ts'
import { consumeAttempt, insertAttempt, type OpenAttempt } from './attempts.ts'
import { findConnection, openSecret, type StoredSsoConnection } from './connection.ts'
import { SsoFailure } from './failure.ts'
import { type IdTokenClaims, memberOfClaims } from './member-of-claims.ts'
import { connectionFaultOf, isClientRefused } from './provider.ts'

/** A person who confirms must have signed in at the provider within this many seconds. */
const confirmSeconds = 300

/**
 * The address to which the provider redirects the browser. Each org has its own, which prevents mix-up attacks (RFC
 * 9700).
 */
export const redirectUri = ({ origin }: RequestingBrowser, orgId: string): string =>
  `${origin}/console/api/sso/callback/${orgId}`

async function providerOf({ scope, secrets, providers }: MemberDeps, orgId: string) {
  const found = await scope.read(async (tx) => {
    const [connection, clientSecret] = [await findConnection(tx, orgId), await openSecret(tx, secrets, orgId)]
    return connection && clientSecret !== null ? { connection, clientSecret } : null
  })
  if (!found) throw new SsoFailure('sso_not_set_up')
  const { connection, clientSecret } = found
  const { issuer, client_id: clientId } = connection
  const provider = await providers.find({ orgId, issuer, clientId, clientSecret }).catch((error) => {
    throw new SsoFailure('sso_provider_unreachable', { cause: error })
  })
  return { connection, provider }
}

export type SignOnStart = {
  orgId: string
  returnTo: string
  /** true: the person of the session confirms. false: a sign-in. */
  confirms: boolean
}

/**
 * Begins a sign-in at the provider of an org. Returns the address for the browser, and the token that binds the
 * attempt to it.
 * @throws SsoFailure
 */
export async function startSignOn(
  deps: MemberDeps,
  browser: RequestingBrowser,
  { orgId, returnTo, confirms }: SignOnStart,
): Promise<{ url: string; token: string }> {
  const session = browser.session && !browser.session.isPartial ? browser.session : null
  // Only the org's own provider may confirm: another organization could have chosen a provider that confirms anything.
  if (confirms && session?.ssoOrgId !== orgId) throw new SsoFailure('sso_expired')
  const { connection, provider } = await providerOf(deps, orgId)
  const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await import('openid-client')
  const sessionId = confirms ? (session?.sessionId ?? null) : null
  const attempt = await deps.scope.transact((tx) =>
    insertAttempt(tx, { orgId, issuer: connection.issuer, returnTo, sessionId }),
  )
  const url = buildAuthorizationUrl(provider, {
    redirect_uri: redirectUri(browser, orgId),
    scope: 'openid email profile',
    state: attempt.state,
    nonce: attempt.nonce,
    code_challenge: await calculatePKCECodeChallenge(attempt.codeVerifier),
    code_challenge_method: 'S256',
    ...(confirms ? { prompt: 'login', max_age: String(confirmSeconds) } : {}),
  })
  return { url: url.href, token: attempt.token }
}

/** The parameters with which the provider sends the browser back. */
export type ProviderReturn = Readonly<Record<'code' | 'state' | 'iss' | 'error', string | undefined>>

/**
 * Completes a sign-in: checks the provider's answer, and opens or confirms a session.
 * @returns the next address for the browser, and the token of a new session; null: the session was confirmed
 * @throws SsoFailure
 */
export async function finishSignOn(
  deps: MemberDeps,
  browser: RequestingBrowser,
  orgId: string,
  returned: ProviderReturn,
): Promise<{ returnTo: string; token: string | null }> {
  const { state = '' } = returned
  const token = browser.attemptToken
  const attempt =
    token === null
      ? undefined
      : await deps.scope.transact((tx) => consumeAttempt(tx, { orgId, token, state }))
  if (!attempt) throw new SsoFailure('sso_expired')
  const { connection, provider } = await providerOf(deps, orgId)
  if (connection.issuer !== attempt.issuer) throw new SsoFailure('sso_expired')
  const claims = await claimsOf(provider, attempt, redirectUri(browser, orgId), returned)
  return deps.scope.transact(async (tx) => {
    const memberId = await memberOfClaims(tx, orgId, await current(findConnection(tx, orgId)), claims)
    tx.afterCommit(() => deps.forgetMember(memberId))
    const { return_to: returnTo, session_id: sessionId } = attempt
    if (sessionId === null)
      return { returnTo, token: await openSession(tx, memberId, browser, { ssoOrgId: orgId }) }
    if (browser.session?.sessionId !== sessionId || browser.session.memberId !== memberId)
      throw new SsoFailure('sso_other_person')
    await confirmSession(tx, sessionId)
    return { returnTo, token: null }
  })
}

/** The provider may have been removed in the meantime. */
async function current(found: Promise<StoredSsoConnection | undefined>): Promise<StoredSsoConnection> {
  const connection = await found
  if (connection) return connection
  throw new SsoFailure('sso_not_set_up')
}

/** Checks state, issuer, code, signature, audience and nonce (OpenID Connect Core, RFC 9207). @throws SsoFailure */
async function claimsOf(
  provider: Configuration,
  attempt: OpenAttempt,
  redirect: string,
  returned: ProviderReturn,
): Promise<IdTokenClaims> {
  const { AuthorizationResponseError, authorizationCodeGrant, fetchUserInfo, ResponseBodyError } =
    await import('openid-client')
  const url = new URL(redirect)
  for (const [name, value] of Object.entries(returned))
    if (value !== undefined) url.searchParams.set(name, value)
  try {
    const tokens = await authorizationCodeGrant(provider, url, {
      expectedState: returned.state ?? '',
      expectedNonce: attempt.nonce,
      pkceCodeVerifier: attempt.code_verifier,
      idTokenExpected: true,
      ...(attempt.session_id === null ? {} : { maxAge: confirmSeconds }),
    })
    const claims = tokens.claims()
    if (!claims) throw new Error('There is no ID token')
    if (claims.email !== undefined || !provider.serverMetadata().userinfo_endpoint) return claims
    return await fetchUserInfo(provider, tokens.access_token, claims.sub)
  } catch (error) {
    if (error instanceof AuthorizationResponseError) throw new SsoFailure('sso_refused', { cause: error })
    if (error instanceof ResponseBodyError && isClientRefused(error))
      throw new SsoFailure('sso_client_refused', { cause: error })
    const fault = connectionFaultOf(error) === null ? 'sso_invalid' : 'sso_provider_unreachable'
    throw new SsoFailure(fault, { cause: error })
  }
}
