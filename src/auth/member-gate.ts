import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../platform/caller.ts'
import { DomainError, forbidden, invalid, unauthenticated } from '../platform/domain-error.ts'
import type { RequestingBrowser } from '../platform/http/requesting-browser.ts'
import type { Gate } from '../platform/http/server.ts'
import type { Ceilings, RateLimitStore } from '../platform/rate-limit/rate-limit.ts'
import type { AnonymousBudget } from './anonymous-budget.ts'
import { findReach, peekReach } from './client-reach.ts'
import { browserOf, refuseOtherSites } from './console-cookies.ts'
import type { CredentialCache } from './credential-cache.ts'
import { enforceRateLimit } from './enforce-rate-limit.ts'
import type { ClientLinks } from './known-links.ts'
import { type AccessibleOrg, isAlive, type KnownSession, payerOf } from './known-sessions.ts'
import { limitPeople } from './limit-people.ts'
import { permissionsOf } from './roles.ts'
import { hashToken } from './token.ts'

/**
 * Separate limits for people, so that they and programs do not use up each other's limits. The console's home page
 * sends 19 requests at once. A person who opens another page in the same second needs more.
 */
const ceilings: Ceilings = { perSecond: 50, perMinute: 600 }
/** The limits of all members of an organization together: an organization may have any number of members. */
const ofAllMembers: Ceilings = { perSecond: 100, perMinute: 3_000 }
const confirmedMs = 600_000

export type MemberGateParts = {
  sessions: CredentialCache<KnownSession>
  links: ClientLinks
  /** Counts the requests of each member. */
  limits: RateLimitStore
  /** For each client address, counts the requests without a session. */
  anonymous: AnonymousBudget
  publicUrl: string | null
  /** Stores that a session is in use. */
  recordSessionUse(session: KnownSession): void
}

/**
 * Authenticates a console request. Checks TLS, the site that sent the request, the session, the rate limit, X-Org-Id
 * and X-Mode, in this order. API keys are ignored.
 */
export function createMemberGate(parts: MemberGateParts): Gate {
  const { sessions, links, limits, anonymous, publicUrl, recordSessionUse } = parts

  /**
   * Finds the session of a token. Calls `count` before it reads a cached session again: otherwise a member above the
   * limit could keep the database busy.
   */
  async function sessionOf(
    request: FastifyRequest,
    token: string | null,
    count: (session: KnownSession) => Promise<void>,
  ): Promise<KnownSession | null> {
    if (token === null) return null
    const tokenHash = hashToken(token)
    const known = sessions.peek(tokenHash)
    const orgId = orgIdIn(request)
    if (known && !needsFresh(request, known)) {
      if (orgId === undefined || peekReach(links, known, orgId)) return known
      await count(known)
      if (await findReach(links, known, orgId)) return known
    } else if (known) await count(known)
    if (known) return limitPeople(() => sessions.load(tokenHash), { id: payerOf(known), isStranger: false })
    // The cache itself limits the lookups of tokens that are new to it.
    return sessions.expects(tokenHash) || anonymous.mayGuess(request.ip, tokenHash)
      ? sessions.load(tokenHash)
      : null
  }

  return async (request, reply) => {
    const browser = browserOf(request, publicUrl)
    request.browser = browser
    refuseOtherSites(request, browser)
    const { access = 'org', changesAccount } = request.routeOptions.config.endpoint ?? {}
    if (access === 'anyone') enforceRateLimit(await anonymous.take(request.ip), reply)
    let isCounted = access === 'anyone'
    const count = async (member: KnownSession) => {
      if (!isCounted) await countMember(request, reply, member)
      isCounted = true
    }
    const found = await sessionOf(request, browser.token, count)
    const session = found && isAlive(found) ? found : null
    if (session) {
      const { sessionId, memberId, isPartial, ssoOrgId, isRecovery, isUsedElsewhere } = session
      const limitedTo = isUsedElsewhere ? ssoOrgId : null
      browser.session = { sessionId, memberId, isPartial, ssoOrgId, limitedTo, isRecovery }
      browser.confirmedUntilMs = confirmedUntil(session)
      browser.confirmWays = waysOf(session, browser)
    }
    if (access === 'anyone') return callerWithoutOrg(session, browser.network)
    if (!session || (session.isPartial && access !== 'partial')) throw await signedOut(request, reply)
    await count(session)
    recordSessionUse(session)
    if (changesAccount && browser.session?.limitedTo) throw accountRefusal()
    return access === 'org' ? callerIn(request, reply, session) : callerWithoutOrg(session, browser.network)
  }

  /** @throws DomainError too_many if the member sent too many requests */
  async function countMember(
    request: FastifyRequest,
    reply: FastifyReply,
    session: KnownSession,
  ): Promise<void> {
    // The provider of one organization must not use up the requests of a person in other organizations.
    const decision = await limits.take(`member:${session.memberId}:${session.ssoOrgId ?? ''}`, ceilings)
    if (!decision.allowed) request.overLimit = actedOn(links, request, session)
    enforceRateLimit(decision, reply)
  }

  async function callerIn(
    request: FastifyRequest,
    reply: FastifyReply,
    session: KnownSession,
  ): Promise<Caller> {
    const caller = await callerOf(links, request, session)
    const decision = await limits.take(caller.payerId, ofAllMembers)
    if (decision.allowed) return caller
    request.overLimit = caller
    enforceRateLimit(decision, reply)
    return caller
  }

  async function signedOut(request: FastifyRequest, reply: FastifyReply): Promise<DomainError> {
    enforceRateLimit(await anonymous.take(request.ip), reply)
    const text = request.headers.authorization
      ? 'This address is for the console. An API key works at /api/v1'
      : 'You are signed out, or the session expired; sign in again'
    return unauthenticated('session_ended', text)
  }
}

/** The time until which the last confirmation of the person counts, in Unix milliseconds. 0: there is none. */
export const confirmedUntil = ({ confirmedAtMs }: KnownSession): number =>
  confirmedAtMs === 0 ? 0 : confirmedAtMs + confirmedMs

/** Returns whether to bypass the cache: another process may have just confirmed the session. */
function needsFresh({ routeOptions }: FastifyRequest, session: KnownSession): boolean {
  return routeOptions.config.endpoint?.confirm === true && confirmedUntil(session) < Date.now()
}

/** The organization that a request names. */
function orgIdIn({ headers }: FastifyRequest): string | undefined {
  const { 'x-org-id': orgId } = headers
  return typeof orgId === 'string' ? orgId.toLowerCase() : undefined
}

/** @throws DomainError forbidden if the person must confirm first */
export function requireConfirmation({ confirmedUntilMs, confirmWays }: RequestingBrowser): void {
  if (Date.now() < confirmedUntilMs) return
  throw new DomainError(
    'confirmation_required',
    'Confirm first that it is you (POST /session/confirm), then send the request again with the same Idempotency-Key',
    { confirm: confirmWays },
  )
}

function waysOf(
  { hasPassword, passkeyHosts, ssoOrgId }: KnownSession,
  { origin }: RequestingBrowser,
): string[] {
  const hasPasskey = passkeyHosts.includes(new URL(origin).hostname)
  return [
    ...(hasPasskey ? ['passkey'] : []),
    ...(hasPassword ? ['password'] : []),
    ...(ssoOrgId ? ['sso'] : []),
  ]
}

async function callerOf(links: ClientLinks, request: FastifyRequest, session: KnownSession): Promise<Caller> {
  const orgId = orgIdIn(request)
  const reached = orgId === undefined ? undefined : await findReach(links, session, orgId)
  if (!reached) throw await orgRefusal(links, orgId, session)
  return {
    apiKeyId: null,
    memberId: session.memberId,
    sessionId: session.sessionId,
    name: session.name,
    homeOrgId: reached.homeOrgId,
    payerId: `${reached.homeOrgId}:members`,
    orgId: reached.orgId,
    mode: modeOf(reached, request.headers['x-mode']),
    reachesClients: reached.reachesClients,
    permissions: permissionsOf(reached.role, reached.permissions, reached.recordAccess),
    ...(reached.recordAccess ? { recordAccess: reached.recordAccess } : {}),
  }
}

/** Returns the org and mode of a request above the rate limit; null if the member does not reach the org. */
function actedOn(
  links: ClientLinks,
  request: FastifyRequest,
  session: KnownSession,
): Pick<Caller, 'orgId' | 'mode'> | null {
  const { 'x-mode': mode } = request.headers
  const orgId = orgIdIn(request)
  const org = orgId === undefined ? undefined : peekReach(links, session, orgId)
  return org ? { orgId: org.orgId, mode: org.via === 'sandbox' || mode === 'test' ? 'test' : 'live' } : null
}

/** The provider of one organization must not decide how a person signs in to other organizations. */
const accountRefusal = () =>
  forbidden(
    'sso_session_limited',
    'You signed in with the single sign-on of one organization, but you also use your account outside of it; to change the account, sign in with your password or a passkey',
  )

async function orgRefusal(
  links: ClientLinks,
  asked: string | undefined,
  { ssoRequired }: KnownSession,
): Promise<DomainError> {
  if (!asked)
    return invalid('org_id_missing', 'Send X-Org-Id with the id of the organization that the request acts on')
  const reaching = await Promise.all(ssoRequired.map((closed) => findReach(links, closed, asked)))
  const required = ssoRequired.find(({ id }) => id === asked) ?? ssoRequired.find((_, at) => reaching[at])
  if (required) {
    const { id, name } = required
    const who = id === asked ? name : `You reach this organization through ${name}, which`
    return forbidden('sso_required', `${who} requires single sign-on; sign in with it`, {
      sso: [{ org_id: id, org_name: name }],
    })
  }
  return forbidden(
    'membership_missing',
    'You have no access to this organization. Somebody may have removed you, or cut the link to your agency',
  )
}

function modeOf({ via }: AccessibleOrg, sent: string | string[] | undefined): 'live' | 'test' {
  if (via === 'sandbox') return 'test'
  if (sent === undefined || sent === 'live') return 'live'
  if (sent === 'test') return 'test'
  throw invalid('mode_unknown', 'X-Mode must be live or test')
}

const peopleAt = (network: string): string => `people at ${network}`

/** Returns the caller of an endpoint that acts on no org. Row-level security shows it no row. */
function callerWithoutOrg(session: KnownSession | null, network: string): Caller {
  return {
    apiKeyId: null,
    memberId: session?.memberId ?? null,
    sessionId: session?.sessionId ?? null,
    name: session?.name ?? '',
    homeOrgId: '',
    payerId: session ? payerOf(session) : peopleAt(network),
    orgId: '',
    mode: 'live',
    reachesClients: false,
    permissions: [],
  }
}
