import { listReach } from '../../auth/client-reach.ts'
import { sessionCookie } from '../../auth/console-cookies.ts'
import { type AccessibleOrg, type KnownSession, payerOf } from '../../auth/known-sessions.ts'
import { limitPeople } from '../../auth/limit-people.ts'
import { confirmedUntil } from '../../auth/member-gate.ts'
import { permissionsOf } from '../../auth/roles.ts'
import { hashToken } from '../../auth/token.ts'
import { unauthenticated } from '../../platform/domain-error.ts'
import { Answer } from '../../platform/http/endpoint.ts'
import type { RequestingBrowser } from '../../platform/http/requesting-browser.ts'
import { Json } from '../../platform/json.ts'
import { limitLongWork, mapInSlices } from '../../platform/slices.ts'
import type { MemberDeps } from '../member-deps.ts'

/** The session of a token. @throws DomainError unauthenticated if it just ended */
export async function currentSession({ sessions }: MemberDeps, token: string | null): Promise<KnownSession> {
  const session = token === null ? null : await limitPeople(() => sessions.load(hashToken(token)))
  if (!session) throw unauthenticated('session_ended', 'You are signed out; sign in again')
  return session
}

/** The session of a token, as answers show it. @throws DomainError unauthenticated if it just ended */
export async function showSession(deps: MemberDeps, token: string | null): Promise<Json> {
  const session = await currentSession(deps, token)
  const { sessionId, memberId, email, name, isPartial, hasTotp, expiresAtMs } = session
  const { hasPassword, recoveryCodes, passkeyHosts, ssoOrgId, ssoRequired } = session
  const until = confirmedUntil(session)
  const shown = {
    session_id: sessionId,
    member: {
      ...{ member_id: memberId, email, name, has_second_factor: hasTotp, has_password: hasPassword },
      recovery_codes: recoveryCodes,
      passkeys: passkeyHosts.length,
    },
    second_factor: isPartial ? ['totp', 'recovery_code'] : [],
    sso_org_id: ssoOrgId,
    sso_required: isPartial ? [] : ssoRequired.map(({ id, name }) => ({ org_id: id, org_name: name })),
    confirmed_until: until > Date.now() ? Math.floor(until / 1000) : null,
    expires_at: Math.floor(expiresAtMs / 1000),
  }
  const memberships = isPartial ? [] : await membershipsOf(deps.scope, session)
  return new Json(JSON.stringify(shown)).with('memberships', Json.list(memberships))
}

/** The JSON of each membership. An agency may have 10,000 clients, so this is long work then. */
function membershipsOf(scope: MemberDeps['scope'], session: KnownSession): Promise<string[]> {
  const payerId = payerOf(session)
  const read = async () => {
    const all = await listReach(scope, session, payerId)
    return mapInSlices(payerId, all, (each) => JSON.stringify(membershipOf(each)))
  }
  return session.agencies.length > 0 ? limitLongWork(payerId, read) : read()
}

const membershipOf = (reached: AccessibleOrg) => {
  const { orgId, orgName, homeOrgId, role, via, permissions, recordAccess, reachesClients } = reached
  return {
    ...{ org_id: orgId, org_name: orgName, role, via },
    permissions: permissionsOf(role, permissions, recordAccess)?.slice() ?? null,
    record_access: recordAccess ?? ('all' as const),
    is_agency: reachesClients && orgId === homeOrgId,
  }
}

/** The answer that begins a session: its cookie, and the session. */
export async function beginSession(deps: MemberDeps, browser: RequestingBrowser, token: string) {
  return new Answer(await showSession(deps, token), { headers: sessionCookie(browser, token) })
}
